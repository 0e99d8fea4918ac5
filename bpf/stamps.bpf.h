/* SPDX-License-Identifier: GPL-2.0 */
/* A test mode: the time stamps that the spans of the device layer are made of, kept
 * on the side, so that T can be compared with the union of the very same. When it is
 * off, which is known when the programs are loaded, the kernel leaves it out. */
#ifndef IOSPAN_STAMPS_BPF_H
#define IOSPAN_STAMPS_BPF_H

#include "maps.bpf.h"

struct stamps_map ARRAY_OF(struct stamp);

extern struct stamps_map stamps SEC(".maps");
extern const volatile bool keep_stamps;

int stamp_add(u32 cell, u64 start, u64 end);

/* An access in @cell, or its part up to a requeue, was in flight in [start, end). */
static __always_inline void keep_stamp(u32 cell, u64 start, u64 end)
{
	if (keep_stamps)
		stamp_add(cell, start, end);
}

#endif
