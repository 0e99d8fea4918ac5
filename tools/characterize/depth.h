/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the maximum number of accesses in flight. */
#ifndef IOSPAN_DEPTH_H
#define IOSPAN_DEPTH_H

#include "bpf/types.h"

/* The accesses in flight, and their maximum number until now. A zeroed struct is ready for use. */
struct depth {
	u64 *ends; /* ends of the accesses in flight, as a heap with the earliest end first */
	u32 n, room;
	u32 most;
};

/* Adds an access in flight from @start_ns to @end_ns. Call this in the order of the starts. An
 * access of length 0 is never in flight. */
void depth_add(struct depth *d, u64 start_ns, u64 end_ns);
void depth_release(struct depth *d);

#endif
