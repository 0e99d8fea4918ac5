/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report as one HTML file that needs nothing else: plots as SVG, a table that can be
 * sorted, and the text. */
#ifndef IOSPAN_HTML_H
#define IOSPAN_HTML_H

#include "tools/report/report.h"

/* -errno, printed. */
int html_report(FILE *f, const struct report_run *r);

/* ---- the parts, one file each ---- */

int html_plots(FILE *f, const struct report_run *r); /* over time, sizes */
int html_bars(FILE *f, const struct report_run *r);  /* processes */
int html_maps(FILE *f, const struct report_run *r);  /* latencies, offsets */
int html_sizes(FILE *f, const struct picture *pic);  /* alone */
void html_table(FILE *f, const struct report_run *r);

/* A name as a tic of an axis: a long one loses its middle, as its end may have a number. */
#define HTML_NAME 22
void html_shorten(char *name);

/* What the time axis of a plot is in, so that its numbers are short. */
struct time_axis {
	const char *unit;
	double ns;  /* of one unit */
	double end; /* of the observation, in that unit */
};
struct time_axis time_axis(u64 elapsed_ns);
/* "set xrange ..." and the label. */
void time_axis_commands(FILE *script, const struct time_axis *x);

#endif
