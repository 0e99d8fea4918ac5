/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots over time, and a plot of access sizes. */
#ifndef IOSPAN_REPORT_HTML_PLOTS_H
#define IOSPAN_REPORT_HTML_PLOTS_H

#include "tools/report/html.h"

/* html_plots() and html_sizes() write plots to @f. They return 0 or -errno, and print the error. */
int html_plots(FILE *f, const struct report_run *r);
int html_sizes(FILE *f, const struct picture *pic);

/* A time axis. Its unit is chosen so that the numbers are short. */
struct time_axis {
	const char *unit;
	double ns;  /* ns per unit */
	double end; /* end of the observation, in units */
};

struct time_axis time_axis(u64 elapsed_ns);
/* Prints the gnuplot commands for the range and label of the x axis. */
void time_axis_commands(FILE *script, const struct time_axis *x);

#endif
