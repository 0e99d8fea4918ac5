/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plot of processes over time. */
#ifndef IOSPAN_REPORT_HTML_BARS_H
#define IOSPAN_REPORT_HTML_BARS_H

#include "tools/report/html.h"

/* Returns 0 or -errno; prints the error. */
int html_bars(FILE *f, const struct report_run *r);

/* Cuts out the middle of a name above HTML_NAME bytes, as its end may be a number. */
#define HTML_NAME 22
void html_shorten(char *name);

#endif
