/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plot that shows when each process had accesses in flight. */
#ifndef IOSPAN_REPORT_HTML_BARS_H
#define IOSPAN_REPORT_HTML_BARS_H

#include "tools/report/html.h"

/* Writes the plot to @f. Returns 0 or -errno; prints the error. */
int html_bars(FILE *f, const struct report_run *r);

/* html_shorten() cuts a name to HTML_NAME bytes. It removes the middle, because the end may be a
 * number that distinguishes names. */
#define HTML_NAME 22
void html_shorten(char *name);

#endif
