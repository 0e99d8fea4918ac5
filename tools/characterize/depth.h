/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the largest number of accesses that are in flight at the same time. */
#ifndef IOSPAN_DEPTH_H
#define IOSPAN_DEPTH_H

#include "bpf/types.h"
#include "user/base/heap.h"

/* The accesses in flight, and the largest number of accesses that were in flight at the same time
 * so far (@most). A zeroed struct is ready for use. */
struct depth {
	struct heap ends; /* ends of the accesses in flight, in ns; the earliest is first. The
			   * caller frees its array. */
	u32 most;
};

/* Adds an access that is in flight from @start_ns to @end_ns. Calls must be in the order of
 * @start_ns, because each call removes the accesses that end at @start_ns or earlier. An access of
 * length 0 is never in flight. */
void depth_add(struct depth *d, u64 start_ns, u64 end_ns);

#endif
