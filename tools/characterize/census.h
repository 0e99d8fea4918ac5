/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often which value was seen, exactly; of the first CENSUS_VALUES different ones. */
#ifndef IOSPAN_CENSUS_H
#define IOSPAN_CENSUS_H

#include "user/base/keys.h"

#define CENSUS_VALUES (1 << 16)

/* Zeroes are an empty one. */
struct census {
	struct keys values;
	u64 *counts; /* by their numbers */
	u64 others;  /* values that came when there were so many already */
};

struct counted {
	u64 value, count;
};

void census_add(struct census *c, u64 value);
void census_release(struct census *c);

/* The @n most frequent ones, most first; of those as frequent the least first. How many. */
u32 census_top(const struct census *c, struct counted *top, u32 n);

#endif
