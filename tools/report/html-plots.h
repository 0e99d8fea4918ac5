/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots over time, and of access sizes. */
#ifndef IOSPAN_REPORT_HTML_PLOTS_H
#define IOSPAN_REPORT_HTML_PLOTS_H

#include "tools/report/html.h"

/* Return 0 or -errno; print the error. */
int html_plots(FILE *f, const struct report_run *r);
int html_sizes(FILE *f, const struct picture *pic);

/* The unit of a time axis, chosen for short numbers. */
struct time_axis {
	const char *unit;
	double ns;  /* ns per unit */
	double end; /* end of the observation, in units */
};

struct time_axis time_axis(u64 elapsed_ns);
/* Prints gnuplot's xrange and xlabel. */
void time_axis_commands(FILE *script, const struct time_axis *x);

#endif
