/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts how often each value occurs, exactly, for the first CENSUS_VALUES distinct values. */
#ifndef IOSPAN_CENSUS_H
#define IOSPAN_CENSUS_H

#include "user/base/keys.h"

#define CENSUS_VALUES (1 << 16)

/* A zeroed struct is empty. */
struct census {
	struct keys values;
	u64 *counts; /* by the value's number in @values */
	u64 others;  /* occurrences of further distinct values */
};

struct counted {
	u64 value, count;
};

void census_add(struct census *c, u64 value);
void census_release(struct census *c);

/* Writes the up to @n most frequent values to @top and returns their number. The order is by
 * descending count, then by ascending value. */
u32 census_top(const struct census *c, struct counted *top, u32 n);

#endif
