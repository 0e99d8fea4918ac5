/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sizes requests have. */
#ifndef IOSPAN_SIZES_H
#define IOSPAN_SIZES_H

#include "tools/characterize/census.h"

#define SIZES_CLASSES 65 /* 0, then powers of two: 1, 2 to 3, 4 to 7 ... */
#define SIZES_NEARLY 0.9 /* of one size: then they are nearly fixed */

/* Zeroes are an empty one. */
struct sizes {
	u128 bytes, small_bytes;
	u64 requests, small;
	u64 least, most;
	u64 classes[SIZES_CLASSES];
	struct census census;
};

/* A request is small when it has less than @small bytes. */
void sizes_add(struct sizes *s, u64 bytes, u64 small);
void sizes_release(struct sizes *s);

/* The least size in a class. */
u64 sizes_class_floor(u32 class);

/* Share of the requests that have the commonest size; NaN: there are none. */
double sizes_commonest_share(const struct sizes *s);
const char *sizes_word(const struct sizes *s); /* "fixed", "nearly fixed", "variable", NULL */

#endif
