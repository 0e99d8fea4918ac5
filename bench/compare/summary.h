/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summarizes the comparison of two systems, A and B, over many random workloads. */
#ifndef IOSPAN_COMPARE_SUMMARY_H
#define IOSPAN_COMPARE_SUMMARY_H

#include "bench/compare/compare.h"

#define QUARTILES 5

struct summary {
	unsigned n; /* number of random workloads for which both predictions exist */
	/* By enum winner, the number of workloads that this system does faster: all of them, and
	 * those in which the uncertainties do not overlap. */
	unsigned faster[3], real[3];
	unsigned without_band;
	/* A's bandwidth / B's: minimum, quartiles, maximum; NaN if .n is 0 */
	double ratio[QUARTILES];
};

/* Summarizes the random workloads that have a value of parameter @p in the range @r. @r:
 * coordinates of parameter_axis(). */
struct summary summarize(const struct comparison *c, enum parameter p, struct range r);
struct summary summarize_all(const struct comparison *c);

/* Returns third number @i (0, 1 or 2) of the range of @p, as coordinates of parameter_axis(). */
struct range third(const struct comparison *c, enum parameter p, int i);

#endif
