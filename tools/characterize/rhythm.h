/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the period of a series by autocorrelation, for criteria 2.10 and 2.11. The paper does
 * not define a method; this one is iospan's own. */
#ifndef IOSPAN_RHYTHM_H
#define IOSPAN_RHYTHM_H

#include "bpf/types.h"

struct rhythm {
	u32 period;	 /* period as a number of values; 0 if the series does not repeat */
	double strength; /* correlation at that period, at most 1; NaN if there is no period */
};

/* Finds the period of the @n values @x, which are all finite. r(k) is Pearson's correlation of
 * x[0 .. n-k) and x[k .. n), for k up to n/2. The period is the first peak of r that is at least
 * 0.9 of the highest. Only k after the first r(k) <= 0 count, because neighbours are similar in
 * any series that changes slowly. A peak must exceed sqrt(2 ln n / (n - k)), the expected
 * maximum for independent values. */
struct rhythm rhythm_of(const double *x, u32 n);

#endif
