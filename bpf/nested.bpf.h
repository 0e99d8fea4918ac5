/* SPDX-License-Identifier: GPL-2.0-only */
/* Nested completions run in an interrupt while this CPU handles another one. The kernel does not
 * run a BPF program inside itself, so a second one, the twin, counts them as lost accesses: the
 * first changes this CPU's struct row without atomic operations. */
#ifndef IOSPAN_NESTED_BPF_H
#define IOSPAN_NESTED_BPF_H

#include "bpf/cells.bpf.h"

/* the kernel's limit; a power of two to mask a CPU number */
#define MAX_CPUS 8192

/* Shows if the completion program runs on a CPU. One element fills a cache line. */
struct running {
	u32 on;
	u32 pad[15];
};

static __always_inline volatile u32 *running_here(struct running *all)
{
	return &all[bpf_get_smp_processor_id() & (MAX_CPUS - 1)].on;
}

/* Counts a completed access: as lost if @nested, else with latency @ns in this CPU's stripe @r. */
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
