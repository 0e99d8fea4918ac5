/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A layer, or a process, in slices of time. An access counts in the slice of its last nanosecond. T
 * and the time in flight are divided among the slices. */
#ifndef IOSPAN_TIMELINE_H
#define IOSPAN_TIMELINE_H

#include "user/trace/trace.h"

struct slice {
	u128 bytes;
	u128 flight_ns; /* sum of the times in flight */
	u64 accesses, errors;
	u64 span_ns; /* T */
	s64 full;    /* change, at this slice, of the number of accesses that fill whole slices */
};

struct timeline {
	u64 begin_ns, width_ns;
	struct slice *slices;
	u32 n, room;
	u32 most;     /* limit of @n */
	bool doubles; /* at the limit the width doubles; else the last slice takes the rest */
	bool full;    /* the last slice took more than its own */
};

void slice_add(struct slice *to, const struct slice *more);

void timeline_init(struct timeline *t, u64 begin_ns, u64 width_ns, u32 most, bool doubles);
void timeline_release(struct timeline *t);

/* Returns the slice of an access that ends at @end_ns. Invalidates pointers to slices. */
struct slice *timeline_end(struct timeline *t, u64 end_ns);

/* Adds an access that is in flight in [@start_ns, @end_ns). */
void timeline_flight(struct timeline *t, u64 start_ns, u64 end_ns);

/* Adds access @i of @b: its count, bytes, errors and time in flight. */
void timeline_access(struct timeline *t, const struct trace_batch *b, u32 i);

/* Adds an interval of T. */
void timeline_span(struct timeline *t, u64 start_ns, u64 end_ns);

/* Doubles the width until there are at most @slices, each of at least @width_ns. */
void timeline_narrow(struct timeline *t, u32 slices, u64 width_ns);

/* Completes flight_ns. Call it at the end. */
void timeline_finish(struct timeline *t);

#endif
