/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maximum number of accesses in flight. */
#ifndef IOSPAN_DEPTH_H
#define IOSPAN_DEPTH_H

#include "bpf/types.h"

/* A zeroed struct is empty. */
struct depth {
	u64 *ends; /* ends of the accesses in flight; a heap with the earliest end first */
	u32 n, room;
	u32 most;
};

/* Adds an access [start, end). The calls are in the order of starts. An access of length 0 is
 * never in flight. */
void depth_add(struct depth *d, u64 start_ns, u64 end_ns);
void depth_release(struct depth *d);

#endif
