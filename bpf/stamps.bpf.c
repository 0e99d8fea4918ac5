// SPDX-License-Identifier: GPL-2.0
#include "stamps.bpf.h"

struct stamps_map stamps SEC(".maps");

const volatile bool keep_stamps = false;

u64 stamps_n = 0;	/* also those for which there was no room */

__noinline int stamp_add(u32 cell, u64 start, u64 end)
{
	u32 at = __sync_fetch_and_add(&stamps_n, 1);
	struct stamp *s = bpf_map_lookup_elem(&stamps, &at);

	if (s)
		*s = (struct stamp){ start, end, cell };
	return 0;
}
