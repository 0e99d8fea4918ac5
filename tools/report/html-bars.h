/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_REPORT_HTML_BARS_H
#define IOSPAN_REPORT_HTML_BARS_H

#include "tools/report/html.h"

int html_bars(FILE *f, const struct report_run *r);

/* html_shorten() cuts names to this many bytes, in the middle, because the end may be a number */
#define HTML_NAME 22
void html_shorten(char *name);

#endif
