/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report as one HTML page that loads no other file: SVG plots, a table that can be sorted, and
 * the text of the report. */
#ifndef IOSPAN_HTML_H
#define IOSPAN_HTML_H

#include "tools/report/report.h"

/* Writes the page to @f. Returns 0 or -errno; prints the error. */
int html_report(FILE *f, const struct report_run *r);

#endif
