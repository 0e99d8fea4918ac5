/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts exactly how often each value occurs, for the first CENSUS_VALUES distinct values. */
#ifndef IOSPAN_CENSUS_H
#define IOSPAN_CENSUS_H

#include "user/base/keys.h"

#define CENSUS_VALUES (1 << 16)

/* The distinct values and their counts. A zeroed struct is ready for use. */
struct census {
	struct keys values;
	u64 *counts; /* indexed by the number of the value in @values */
	u64 others;  /* occurrences of all distinct values after the first CENSUS_VALUES */
};

struct counted {
	u64 value, count;
};

void census_add(struct census *c, u64 value);
void census_release(struct census *c);

/* Writes the most frequent values to @top, at most @n, and returns how many they are. They are
 * in the order of descending count; values with equal counts are in ascending order. */
u32 census_top(const struct census *c, struct counted *top, u32 n);

#endif
