/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report as one HTML file that needs nothing else: plots as SVG, a table that can be
 * sorted, and the text. */
#ifndef IOSPAN_HTML_H
#define IOSPAN_HTML_H

#include "report.h"

/* -errno, printed. */
int html_report(FILE *f, const struct report_run *r);

/* ---- the parts, one file each ---- */

int html_plots(FILE *f, const struct report_run *r);	/* over time, sizes */
int html_bars(FILE *f, const struct report_run *r);	/* processes */
int html_maps(FILE *f, const struct report_run *r);	/* latencies, offsets */
void html_table(FILE *f, const struct report_run *r);

/* What the time axis of a plot is in, so that its numbers are short. */
struct time_axis {
	const char *unit;
	double ns;		/* of one unit */
	double end;		/* of the observation, in that unit */
};
struct time_axis time_axis(const struct report_run *r);
/* "set xrange ..." and the label. */
void time_axis_commands(FILE *script, const struct time_axis *x);

#endif
