/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The distribution of request sizes (criteria 2.1 to 2.3). */
#ifndef IOSPAN_SIZES_H
#define IOSPAN_SIZES_H

#include "tools/characterize/census.h"

#define SIZES_CLASSES 65 /* number of size classes: 0, then powers of two: 1, 2 to 3, 4 to 7 ... */
/* request sizes are "nearly fixed" if this fraction of requests has one size */
#define SIZES_NEARLY 0.9

/* The request sizes of one direction. A zeroed struct is ready for use. */
struct sizes {
	u128 bytes, small_bytes;
	u64 requests, small;
	u64 least, most;
	u64 classes[SIZES_CLASSES];
	struct census census;
};

/* Adds a request. It counts as small if it has fewer bytes than @small. */
void sizes_add(struct sizes *s, u64 bytes, u64 small);
void sizes_release(struct sizes *s);

/* Returns the smallest size of a class. */
u64 sizes_class_floor(u32 class);

/* Returns the fraction of requests that have the most common size. Returns NaN if there is no
 * request. */
double sizes_commonest_fraction(const struct sizes *s);
/* returns "fixed", "nearly fixed", "variable" or NULL */
const char *sizes_word(const struct sizes *s);

#endif
