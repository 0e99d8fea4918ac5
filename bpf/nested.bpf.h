/* SPDX-License-Identifier: GPL-2.0-only */
/* Nested completions. The kernel does not run a program while the same program runs on this CPU, so
 * it would skip a completion in an interrupt during another completion. The command then attaches a
 * twin of the program, which handles only these. A row has one writer per CPU, which the twin has
 * interrupted. So the twin counts an access, but has no latency for it. */
#ifndef IOSPAN_NESTED_BPF_H
#define IOSPAN_NESTED_BPF_H

#include "bpf/cells.bpf.h"

#define MAX_CPUS 8192 /* the maximum of the kernel; power of two */

/* Whether the program runs on a CPU; a cache line for each. */
struct running {
	u32 on;
	u32 pad[15];
};

static __always_inline volatile u32 *running_here(struct running *all)
{
	return &all[bpf_get_smp_processor_id() & (MAX_CPUS - 1)].on;
}

/* Counts an access of @cell that has ended; @r is its row. */
static __always_inline void access_over(u32 cell, struct row *r, u64 bytes, bool failed, u64 ns,
					u64 queued, bool nested)
{
	struct cell *c;

	if (!nested)
		add_access(r, bytes, failed, ns, queued);
	if (!nested) {
		if (per_cgroup)
			cell_add(cell, bytes, failed, ns, queued);
		return;
	}
	c = bpf_map_lookup_elem(&cells, &cell);
	if (!c)
		return;
	cell_count_lost(c, bytes);
	count(&losses.nested);
}

#endif
