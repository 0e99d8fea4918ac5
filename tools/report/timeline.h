/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums in slices of time, for a layer or a process. The slices are equal parts of the observation.
 * An access is counted in the slice that contains its last nanosecond. T (the time with at least
 * one access in flight) and the sum of the times in flight are divided among the slices. */
#ifndef IOSPAN_TIMELINE_H
#define IOSPAN_TIMELINE_H

#include "user/trace/trace.h"

struct slice {
	u128 bytes;
	/* Sum of the times in flight, in ns, of all accesses within this slice. Example: two
	 * accesses in flight during the whole slice give twice its width. */
	u128 flight_ns;
	u64 accesses, errors;
	u64 span_ns;
	/* Number of accesses that are in flight during the whole slice, stored as the difference
	 * from the number of the previous slice. timeline_finish() adds up these differences. */
	s64 full;
};

struct timeline {
	u64 begin_ns, width_ns;
	struct slice *slices;
	u32 n, room;
	u32 most;
	/* true: the width of the slices doubles if .n would exceed .most. false: the last slice
	 * also counts all later accesses. */
	bool doubles;
	bool full; /* true: the last slice contains accesses after its end */
};

void slice_add(struct slice *to, const struct slice *more);

void timeline_init(struct timeline *t, u64 begin_ns, u64 width_ns, u32 most, bool doubles);
void timeline_release(struct timeline *t);

/* Returns the slice for an access that ends at @end_ns. Earlier pointers to slices become
 * invalid. */
struct slice *timeline_end(struct timeline *t, u64 end_ns);

void timeline_flight(struct timeline *t, u64 start_ns, u64 end_ns);

/* Adds access @i of batch @b: its count, bytes, errors and time in flight. */
void timeline_access(struct timeline *t, const struct trace_batch *b, u32 i);

void timeline_span(struct timeline *t, u64 start_ns, u64 end_ns);

/* Doubles the width of the slices until there are at most @slices, each of at least @width_ns. */
void timeline_narrow(struct timeline *t, u32 slices, u64 width_ns);

/* Completes the field flight_ns of all slices. Call this after the last access. */
void timeline_finish(struct timeline *t);

#endif
