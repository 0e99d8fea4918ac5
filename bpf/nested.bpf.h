/* SPDX-License-Identifier: GPL-2.0-only */
/* Nested completions: an interrupt runs a completion while this CPU handles another completion. The
 * kernel does not run a BPF program inside itself. So a second program, the twin, handles the
 * nested completion. The twin counts the access without a latency, because the interrupted program
 * may be changing this CPU's counters (struct row) without atomic operations. */
#ifndef IOSPAN_NESTED_BPF_H
#define IOSPAN_NESTED_BPF_H

#include "bpf/cells.bpf.h"

/* maximum number of CPUs that a kernel supports; a power of two, so that a mask limits the index */
#define MAX_CPUS 8192

/* One element per CPU, as large as a cache line. .on is not 0 while the completion program runs on
 * the CPU of this element. */
struct running {
	u32 on;
	u32 pad[15];
};

static __always_inline volatile u32 *running_here(struct running *all)
{
	return &all[bpf_get_smp_processor_id() & (MAX_CPUS - 1)].on;
}

/* Counts a completed access. If @nested, counts it without a latency and in losses.nested.
 * Otherwise adds it with latency @ns to @r, this CPU's copy of the counters. @how has bits of enum
 * cell_how. */
static __always_inline void access_over(u32 cell, struct row *r, u64 bytes, u32 how, u64 ns,
					u64 queued, bool nested)
{
	struct cell *c;

	if (!nested)
		add_access(r, bytes, how & CELL_FAILED, ns, queued);
	if (!nested) {
		if (per_cgroup)
			cell_add(cell, bytes, how, ns, queued);
		return;
	}
	c = bpf_map_lookup_elem(&cells, &cell);
	if (!c)
		return;
	cell_count_lost(c, bytes);
	count(&losses.nested);
}

#endif
