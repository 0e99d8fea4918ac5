/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_RESULT_VIEW_HTML_H
#define IOSPAN_RESULT_VIEW_HTML_H

#include <stdio.h>

#include "user/result/view.h"

/* Writes tables and lines into a page (page.h), up to and including the view with is_head. Returns
 * the next view. */
const struct view *view_html(FILE *f, const struct place *doc, const struct view *views);

#endif
