/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the largest number of accesses that are in flight at the same time. */
#ifndef IOSPAN_DEPTH_H
#define IOSPAN_DEPTH_H

#include "bpf/types.h"

/* The accesses in flight, and their largest number so far (@most). Zero it before use. */
struct depth {
	u64 *ends;
	u32 n, room;
	u32 most;
};

/* Starts must ascend, because accesses that end before @start_ns are forgotten. Length 0 is never
 * in flight. */
void depth_add(struct depth *d, u64 start_ns, u64 end_ns);
void depth_release(struct depth *d);

#endif
