/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spatial access pattern (criterion 2.7): the step from the offset of one request to the next
 * in the same walk. A walk is the requests of one process in one file and one direction. */
#ifndef IOSPAN_STEPS_H
#define IOSPAN_STEPS_H

#include "tools/characterize/census.h"
#include "tools/characterize/counters.h"

enum step {
	STEP_SEQUENTIAL, /* to the end of the request before */
	STEP_STRIDED,	 /* of the same distance as the step before or after; may be 0 */
	STEP_RANDOM,
	STEP_KINDS,
};

/* A zeroed struct is empty. */
struct steps {
	struct keys keys;
	struct walk *walks; /* [number of the key] */
	u32 room;
	u64 of[DIR_BOTH][STEP_KINDS];
	u64 unplaced[DIR_BOTH]; /* requests without a known file or offset */
	struct census strides[DIR_BOTH];
};

/* Adds the next request of walk @key, in the order of starts. The first request of a walk makes no
 * step. */
void steps_add(struct steps *s, u64 key, enum direction d, u64 offset, u64 bytes);
void steps_release(struct steps *s);

/* Returns the fraction of steps of a kind; NaN without steps. */
double steps_fraction(const struct steps *s, enum direction d, enum step kind);
/* Returns the name of the most frequent kind; NULL without steps. */
const char *steps_word(const struct steps *s, enum direction d);

#endif
