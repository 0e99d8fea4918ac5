/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts how often each value occurs, such as each request size. Each of the first CENSUS_VALUES
 * distinct values has an exact count of its own. All further values share one count. */
#ifndef IOSPAN_CENSUS_H
#define IOSPAN_CENSUS_H

#include "user/base/keys.h"

#define CENSUS_VALUES (1 << 16)

struct census {
	struct keys values;
	u64 *counts; /* counts[i] is the number of occurrences of values.of[i] */
	u32 room;
	u64 others; /* occurrences of all values that have no count of their own */
};

struct counted {
	u64 value, count;
};

void census_add(struct census *c, u64 value);
void census_release(struct census *c);

/* Stores the most frequent values in @top, at most @n of them, and returns their number. The most
 * frequent value is first. Among equally frequent values, the smaller one is first. */
u32 census_top(const struct census *c, struct counted *top, u32 n);

#endif
