/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a JSON document into an HTML page, as its views describe. A view is a table, a section
 * with inner views, or lines of text (view.h). */
#ifndef IOSPAN_RESULT_VIEW_HTML_H
#define IOSPAN_RESULT_VIEW_HTML_H

#include <stdio.h>

#include "user/result/view.h"

/* Writes the views into an HTML page (page.h). Stops after the first view with is_head, so that the
 * caller can write the plots there. Returns the next view. */
const struct view *view_html(FILE *f, const struct place *doc, const struct view *views);

#endif
