/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plots of the HTML page of `iospan report`. */
#ifndef IOSPAN_HTML_H
#define IOSPAN_HTML_H

#include "tools/report/report.h"

/* Writes the plots of @run, a struct report_run, into the HTML page @f. Returns 0 or -errno; prints
 * the error. */
int html_report(FILE *f, const void *run);

int html_bars(FILE *f, const struct report_run *r);

/* Length in bytes to which html_shorten() cuts a longer name. The function removes the middle of
 * the name, because the end may be a number that distinguishes names. */
#define HTML_NAME 22
void html_shorten(char *name);

int html_maps(FILE *f, const struct report_run *r);

/* Plots the access sizes, if there are any. Returns 0 or -errno; prints the error. */
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
