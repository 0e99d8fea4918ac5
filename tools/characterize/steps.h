/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A walk is the sequence of reads, or of writes, of one process in one file. At the device layer, a
 * walk is the sequence of reads, or of writes, of one disk. The steps of a walk, the changes of the
 * offset, are sequential, strided or random (criterion 2.7 of El Sayed and others 2016). */
#ifndef IOSPAN_STEPS_H
#define IOSPAN_STEPS_H

#include "tools/characterize/census.h"
#include "tools/characterize/counters.h"

enum step {
	STEP_SEQUENTIAL, /* the request starts where the previous one of the walk ended */
	/* the step has the same distance as the step before or after it; the distance may be 0 */
	STEP_STRIDED,
	STEP_RANDOM,
	STEP_KINDS,
};

/* All walks, and the number of steps of each kind. A zeroed struct is ready for use. */
struct steps {
	struct keys keys;
	/* .keys.of[i] is the key (process, file, and read or write) of walks[i] */
	struct walk *walks;
	u32 room;
	u64 of[DIR_BOTH][STEP_KINDS];
	/* number of requests that are in no walk, because the file or offset is unknown */
	u64 unplaced[DIR_BOTH];
	struct census strides[DIR_BOTH];
};

/* Adds a request to the walk @key. Requests come in the order of their start times. The first
 * request of a walk makes no step. */
void steps_add(struct steps *s, u64 key, enum direction d, u64 offset, u64 bytes);
void steps_release(struct steps *s);

/* Returns the fraction of all steps that are of this kind, or NaN if there is no step. */
double steps_fraction(const struct steps *s, enum direction d, enum step kind);
/* Returns the most frequent kind of step in direction @d: "sequential", "strided" or "random";
 * NULL if there is no step. */
const char *steps_word(const struct steps *s, enum direction d);

#endif
