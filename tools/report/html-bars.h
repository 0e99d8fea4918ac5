/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plot with a bar per process, in the HTML page of a report. */
#ifndef IOSPAN_REPORT_HTML_BARS_H
#define IOSPAN_REPORT_HTML_BARS_H

#include "tools/report/html.h"

int html_bars(FILE *f, const struct report_run *r);

/* Length in bytes to which html_shorten() cuts a longer name. The function removes the middle of
 * the name, because the end may be a number that distinguishes names. */
#define HTML_NAME 22
void html_shorten(char *name);

#endif
