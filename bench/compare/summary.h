/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics of a comparison over its random workloads. */
#ifndef IOSPAN_COMPARE_SUMMARY_H
#define IOSPAN_COMPARE_SUMMARY_H

#include "bench/compare/compare.h"

#define QUARTILES 5

struct summary {
	unsigned n; /* number of random workloads that have a ratio */
	/* number of workloads by enum winner: all, and those with separate bands */
	unsigned faster[3], real[3];
	unsigned without_band;
	/* bandwidth of A / B: minimum, quartiles, maximum; NaN if .n is 0 */
	double ratio[QUARTILES];
};

/* Summarizes the random workloads with parameter @p in the range @r. @r: positions on the axis of
 * @p (parameter_axis()). */
struct summary summarize(const struct comparison *c, enum parameter p, struct range r);
struct summary summarize_all(const struct comparison *c);

/* Returns third @i (0, 1 or 2) of the range of @p, as positions on the axis of @p. */
struct range third(const struct comparison *c, enum parameter p, int i);

#endif
