/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots of rates over time and of access sizes, in the HTML page of a report. */
#ifndef IOSPAN_REPORT_HTML_PLOTS_H
#define IOSPAN_REPORT_HTML_PLOTS_H

#include "tools/report/html.h"

/* html_plots() and html_sizes() write plots to @f, if there is data. They return 0 or -errno, and
 * print the error. */
int html_plots(FILE *f, const struct report_run *r);
int html_sizes(FILE *f, const struct picture *pic);

/* The time axis of a plot. .unit: name of the unit of its labels. .ns: length of this unit in ns.
 * .end: end of the axis, in this unit. */
struct time_axis {
	const char *unit;
	double ns;
	double end;
};

struct time_axis time_axis(u64 elapsed_ns);
void time_axis_commands(FILE *script, const struct time_axis *x);

#endif
