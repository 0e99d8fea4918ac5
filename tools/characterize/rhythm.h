/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a series repeat itself, and after how many values? */
#ifndef IOSPAN_RHYTHM_H
#define IOSPAN_RHYTHM_H

#include "bpf/types.h"

struct rhythm {
	u32 period;	 /* in values; 0: it does not repeat */
	double strength; /* correlation of the series with itself, so much later: 1 is
				 * exactly the same again; NaN without a period */
};

/* The first peak, of those within a tenth of the highest, of Pearson's correlation of
 * x[0 .. n-k) with x[k .. n), over k up to n/2; beyond where it first falls to 0, as
 * neighbours are alike in any series that changes slowly. A peak that n independent values
 * would be expected to have, sqrt(2 ln n / (n - k)), is none. All x are finite. */
struct rhythm rhythm_of(const double *x, u32 n);

#endif
