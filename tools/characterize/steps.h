/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spatial pattern: where each request begins, against the one before it in the same
 * walk, which is what one process reads, or writes, of one file. */
#ifndef IOSPAN_STEPS_H
#define IOSPAN_STEPS_H

#include "tools/characterize/census.h"
#include "tools/characterize/counters.h"

enum step {
	STEP_SEQUENTIAL, /* where the one before ended */
	STEP_STRIDED,	 /* as far from the one before as that from its own, or as
				 * the next one is; 0: the same place again */
	STEP_RANDOM,
	STEP_KINDS,
};

/* Zeroes are an empty one. */
struct steps {
	struct keys keys;
	struct walk *walks; /* by number of their key */
	u32 room;
	u64 of[DIR_BOTH][STEP_KINDS]; /* the first of a walk is none */
	u64 unplaced[DIR_BOTH];	      /* requests of which nobody knows where they were */
	struct census strides[DIR_BOTH];
};

/* The next one of walk @key, which has one direction. Best in the order of their begins. */
void steps_add(struct steps *s, u64 key, enum direction d, u64 offset, u64 bytes);
void steps_release(struct steps *s);

/* Share of that kind; NaN: there are no steps. */
double steps_share(const struct steps *s, enum direction d, enum step kind);
const char *steps_word(const struct steps *s, enum direction d); /* NULL: none */

#endif
