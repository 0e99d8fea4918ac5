/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summarizes the comparison of two systems, A and B, over random workloads. A band is the range in
 * which a measurement is expected, according to a prediction. A parameter is a property of a
 * workload, such as the request size. Its coordinate on an axis is its logarithm, or its value if
 * it is a fraction. */
#ifndef IOSPAN_COMPARE_SUMMARY_H
#define IOSPAN_COMPARE_SUMMARY_H

#include "bench/compare/compare.h"

#define QUARTILES 5

struct summary {
	unsigned n; /* number of random workloads for which both predictions exist */
	/* Both arrays have an element per enum winner. .faster: number of workloads for which this
	 * winner has the higher predicted bandwidth. .real: number of these workloads in which the
	 * bands of A and B do not overlap. */
	unsigned faster[3], real[3];
	unsigned without_band;
	/* bandwidth of A / bandwidth of B: minimum, quartiles, maximum; NaN if .n is 0 */
	double ratio[QUARTILES];
};

/* Summarizes the random workloads in which parameter @p is in the range @r. @r has coordinates as
 * parameter_axis() returns them. */
struct summary summarize(const struct comparison *c, enum parameter p, struct range r);
struct summary summarize_all(const struct comparison *c);

/* Returns one third of the range of parameter @p: the lowest (@i 0), the middle (1) or the highest
 * (2), as coordinates of parameter_axis(). */
struct range third(const struct comparison *c, enum parameter p, int i);

#endif
