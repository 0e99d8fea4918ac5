/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_COMPARE_SUMMARY_H
#define IOSPAN_COMPARE_SUMMARY_H

#include "bench/compare/compare.h"

#define QUARTILES 5

struct summary {
	unsigned n; /* number of random workloads for which both predictions exist */
	/* by enum winner, workloads that it does faster; .real: without overlap of the bands */
	unsigned faster[3], real[3];
	unsigned without_band;
	/* A's bandwidth / B's: minimum, quartiles, maximum; NaN if .n is 0 */
	double ratio[QUARTILES];
};

/* Summarizes the random workloads with a value of @p in the range @r (as by parameter_axis()). */
struct summary summarize(const struct comparison *c, enum parameter p, struct range r);
struct summary summarize_all(const struct comparison *c);

/* Returns third number @i (0, 1 or 2) of the range of @p, as coordinates of parameter_axis(). */
struct range third(const struct comparison *c, enum parameter p, int i);

#endif
