/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A layer in slices of time. An access counts where its last nanosecond is; T and the time
 * in flight are cut at the borders. */
#ifndef IOSPAN_TIMELINE_H
#define IOSPAN_TIMELINE_H

#include "bpf/types.h"

struct slice {
	u128 bytes;
	u128 flight_ns; /* of all accesses, that is in here */
	u64 accesses, errors;
	u64 span_ns;
	s64 full; /* accesses that fill slices from here on, less those that
				 * no longer do */
};

struct timeline {
	u64 begin_ns, width_ns;
	struct slice *slices;
	u32 n, room;
	u32 most;     /* no more slices than that; else: */
	bool doubles; /* width is doubled. False: the rest is in the last one */
	bool full;    /* it was, so that there were more */
};

/* @to becomes the two of them. */
void slice_add(struct slice *to, const struct slice *more);

void timeline_init(struct timeline *t, u64 begin_ns, u64 width_ns, u32 most, bool doubles);
void timeline_release(struct timeline *t);

/* The slice of an access that ends at @end_ns; it exists then. Others may have moved. */
struct slice *timeline_end(struct timeline *t, u64 end_ns);

void timeline_flight(struct timeline *t, u64 start_ns, u64 end_ns);
void timeline_span(struct timeline *t, u64 start_ns, u64 end_ns);

/* Wider slices, so that there are no more than @slices. */
void timeline_narrow(struct timeline *t, u32 slices);

/* Once, at the end, before anybody looks at flight_ns. */
void timeline_finish(struct timeline *t);

#endif
