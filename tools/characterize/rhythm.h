/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the period with which a series repeats, by autocorrelation (criteria 2.10 and 2.11 of El
 * Sayed and others 2016). The paper defines no method, so the method is iospan's own. */
#ifndef IOSPAN_RHYTHM_H
#define IOSPAN_RHYTHM_H

#include "bpf/types.h"

struct rhythm {
	u32 period; /* number of values after which the series repeats; 0: it does not repeat */
	/* correlation of the series with itself shifted by the period; NaN: no period */
	double strength;
};

/* Finds the period of the @n values @x, which are all finite. r(k) is Pearson's correlation of x[0
 * .. n-k) and x[k .. n), for shifts k up to n/2. The period is the first peak of r that has at
 * least 0.9 of the largest r. Shifts before the first r(k) <= 0 are ignored, because a series that
 * changes slowly correlates with itself for any small shift. The peak must exceed sqrt(2 ln n / (n
 * - k)), because independent random values reach that height by chance. */
struct rhythm rhythm_of(const double *x, u32 n);

#endif
