/* SPDX-License-Identifier: GPL-2.0-only */
/* Nested completions. The kernel does not run a BPF program while the same program runs on this
 * CPU. So it would skip a completion in an interrupt during another completion. Therefore the
 * command attaches a second program, the twin, which handles only these completions. The program
 * that the twin has interrupted is the only one that may write to this CPU's copy of the struct
 * row. So the twin does not write to it, and counts the access as lost, without a latency. */
#ifndef IOSPAN_NESTED_BPF_H
#define IOSPAN_NESTED_BPF_H

#include "bpf/cells.bpf.h"

#define MAX_CPUS 8192 /* maximum number of CPUs in the kernel; must be a power of two */

/* Shows if the completion program runs on a CPU. Each CPU has a cache line of its own. */
struct running {
	u32 on;
	u32 pad[15];
};

static __always_inline volatile u32 *running_here(struct running *all)
{
	return &all[bpf_get_smp_processor_id() & (MAX_CPUS - 1)].on;
}

/* Counts an ended access. @cell is the number of its struct cell. @r has the counters of its disk
 * and operation. */
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
