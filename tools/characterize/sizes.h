/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The distribution of request sizes (criteria 2.1 to 2.3). */
#ifndef IOSPAN_SIZES_H
#define IOSPAN_SIZES_H

#include "tools/characterize/census.h"

#define SIZES_CLASSES 65 /* 0, then powers of two: 1, 2 to 3, 4 to 7 ... */
#define SIZES_NEARLY 0.9 /* fraction of requests with one size that is "nearly fixed" */

/* A zeroed struct is empty. */
struct sizes {
	u128 bytes, small_bytes;
	u64 requests, small;
	u64 least, most;
	u64 classes[SIZES_CLASSES];
	struct census census;
};

/* Adds a request. It is small if it has less than @small bytes. */
void sizes_add(struct sizes *s, u64 bytes, u64 small);
void sizes_release(struct sizes *s);

/* Returns the smallest size in a class. */
u64 sizes_class_floor(u32 class);

/* Returns the fraction of requests with the most common size; NaN without requests. */
double sizes_commonest_fraction(const struct sizes *s);
const char *sizes_word(const struct sizes *s); /* "fixed", "nearly fixed", "variable", NULL */

#endif
