/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the period of a series by autocorrelation (criteria 2.10 and 2.11). The paper defines no
 * method; this is iospan's own. */
#ifndef IOSPAN_RHYTHM_H
#define IOSPAN_RHYTHM_H

#include "bpf/types.h"

struct rhythm {
	u32 period; /* number of values after which the series repeats; 0: it does not */
	/* correlation of the series with itself shifted by the period; NaN: no period */
	double strength;
};

/* r(k) is Pearson's correlation of the finite values x[0 .. n-k) and x[k .. n), k up to n/2. The
 * period is the first peak with at least 0.9 of the largest r, after the first r(k) <= 0:
 * neighbours are similar in any slow series. It must exceed sqrt(2 ln n / (n - k)), which random
 * values reach. */
struct rhythm rhythm_of(const double *x, u32 n);

#endif
