/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The burstiness rho as a function of the interval length and the threshold c. rho is near 1 if
 * bursts of I/O are short and far apart, and 0 if no interval is idle (burst.h). The user chooses
 * interval length and c, so the surface shows how much rho depends on the choice. The longer
 * intervals are 2, 5, 10, ... intervals of the counters, joined into one. */
#ifndef IOSPAN_CHARACTERIZE_SURFACE_H
#define IOSPAN_CHARACTERIZE_SURFACE_H

#include "tools/characterize/character.h"

#define SURFACE_WIDTHS 24
#define SURFACE_THRESHOLDS 12
/* rho is computed for an interval length only if there are at least this many intervals */
#define SURFACE_INTERVALS 4

struct surface {
	u32 widths_n, thresholds_n;
	u64 widths_ns[SURFACE_WIDTHS];
	u64 thresholds[SURFACE_THRESHOLDS]; /* 0, then 4 KiB, 32 KiB, 256 KiB, ... */
	double rho[SURFACE_WIDTHS][SURFACE_THRESHOLDS][DIRECTIONS];
};

/* Returns a surface, which the caller frees by free(). */
struct surface *surface_of(const struct counters *c);

/* Plots rho of a layer to @f. If the input is a trace, the first column of the plot is rho computed
 * from the exact busy and idle periods. Returns 0 or -errno; prints the error. */
int surface_html(FILE *f, const struct character *c);

#endif
