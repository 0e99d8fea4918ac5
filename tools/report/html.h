/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report as one HTML file that needs nothing else: plots as SVG, a table that can be
 * sorted, and the text. */
#ifndef IOSPAN_HTML_H
#define IOSPAN_HTML_H

#include "tools/report/report.h"

/* -errno, printed. */
int html_report(FILE *f, const struct report_run *r);

void html_table(FILE *f, const struct report_run *r);

/* A name as a tic of an axis: a long one loses its middle, as its end may have a number. */
#define HTML_NAME 22

/* What the time axis of a plot is in, so that its numbers are short. */
struct time_axis {
	const char *unit;
	double ns;  /* of one unit */
	double end; /* of the observation, in that unit */
};

#endif
