/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spatial access pattern (criterion 2.7). A walk is the sequence of requests of one process
 * in one file and one direction. A step goes from the offset of one request of a walk to that of
 * the next. */
#ifndef IOSPAN_STEPS_H
#define IOSPAN_STEPS_H

#include "tools/characterize/census.h"
#include "tools/characterize/counters.h"

enum step {
	STEP_SEQUENTIAL, /* the request starts where the previous one ended */
	/* the step has the same distance as the previous or the next one; the distance may be 0 */
	STEP_STRIDED,
	STEP_RANDOM,
	STEP_KINDS,
};

/* The walks and the kinds of their steps. A zeroed struct is ready for use. */
struct steps {
	struct keys keys;
	struct walk *walks; /* indexed by the number of the key in @keys */
	u32 room;
	u64 of[DIR_BOTH][STEP_KINDS];
	u64 unplaced[DIR_BOTH]; /* number of requests for which the file or offset is not known */
	struct census strides[DIR_BOTH];
};

/* Adds the next request of the walk @key, in the order of the starts. The first request of a
 * walk makes no step. */
void steps_add(struct steps *s, u64 key, enum direction d, u64 offset, u64 bytes);
void steps_release(struct steps *s);

/* Returns the fraction of steps of this kind, or NaN if there is no step. */
double steps_fraction(const struct steps *s, enum direction d, enum step kind);
/* Returns the name of the most frequent kind of step, or NULL if there is no step. */
const char *steps_word(const struct steps *s, enum direction d);

#endif
