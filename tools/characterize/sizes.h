/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Request sizes: histogram, most common sizes, and fraction of small requests (criteria 2.1 to 2.3
 * of El Sayed and others 2016). */
#ifndef IOSPAN_SIZES_H
#define IOSPAN_SIZES_H

#include "tools/characterize/census.h"

/* number of bins of the histogram: one for 0 bytes, then one per power of two (1, 2 to 3, 4 to 7
 * bytes and so on) */
#define SIZES_CLASSES 65
/* The sizes are "nearly fixed" if at least this fraction of the requests has the most common
 * size. */
#define SIZES_NEARLY 0.9

/* Sizes of reads, of writes or of both. A zeroed struct is ready for use. */
struct sizes {
	u128 bytes, small_bytes;
	u64 requests, small;
	u64 least, most;
	u64 classes[SIZES_CLASSES];
	struct census census;
};

/* Adds a request of @bytes bytes. If it has fewer than @small bytes, adds it to the small requests,
 * too. */
void sizes_add(struct sizes *s, u64 bytes, u64 small);
void sizes_release(struct sizes *s);

/* Returns the smallest request size that is counted in bin @class of the histogram. */
u64 sizes_class_floor(u32 class);

/* Returns the fraction of requests with the most common size; NaN without requests. */
double sizes_commonest_fraction(const struct sizes *s);
/* Returns "fixed", "nearly fixed" or "variable", by the fraction of requests with the most common
 * size; NULL if there are no requests. */
const char *sizes_word(const struct sizes *s);

#endif
