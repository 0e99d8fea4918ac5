/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many accesses were in flight at once, at most. */
#ifndef IOSPAN_DEPTH_H
#define IOSPAN_DEPTH_H

#include "bpf/types.h"

/* Zeroes are an empty one. */
struct depth {
	u64 *ends; /* of those in flight: a heap, the first ends first */
	u32 n, room;
	u32 most;
};

/* [start, end), in the order of their begins; one of length 0 is never in flight. */
void depth_add(struct depth *d, u64 start_ns, u64 end_ns);
void depth_release(struct depth *d);

#endif
