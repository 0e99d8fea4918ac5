/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts sequential, strided and random steps (criterion 2.7 of El Sayed and others 2016). A walk
 * is the sequence of reads, or of writes, of one process in one file. At the device layer, a walk
 * is the sequence of reads, or of writes, of one disk. A step is the change of the offset from one
 * request of a walk to the next. */
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
	/* keys.of[i] is the key of walks[i], the sequence of reads, or of writes, of one process in
	 * one file. At the device layer, it is the sequence of reads, or of writes, of one disk. */
	struct walk *walks;
	u32 room;
	u64 of[DIR_BOTH][STEP_KINDS]; /* number of steps of each kind, of reads and of writes */
	/* number of requests that are in no walk, because the file or offset is unknown */
	u64 unplaced[DIR_BOTH];
	/* how often each distance of strided steps occurs */
	struct census strides[DIR_BOTH];
};

/* Adds a request to the walk @key. Requests come in the order of their start times. The first
 * request of a walk makes no step. */
void steps_add(struct steps *s, u64 key, enum direction d, u64 offset, u64 bytes);
void steps_release(struct steps *s);

/* Returns the fraction of the steps in direction @d that are of kind @kind, or NaN if there is no
 * step. */
double steps_fraction(const struct steps *s, enum direction d, enum step kind);
/* Returns the most frequent kind of step in direction @d: "sequential", "strided" or "random";
 * NULL if there is no step. */
const char *steps_word(const struct steps *s, enum direction d);

#endif
