/* SPDX-License-Identifier: GPL-2.0-only */
/* Handles nested completions: those in an interrupt while this CPU handles another completion. The
 * kernel does not run a BPF program while the same program runs on this CPU, so no program would
 * see them. Therefore iospan attaches a second program, the twin, to the same event. It only
 * handles nested completions. It must not add to this CPU's stripe of the counters (struct row),
 * because the interrupted program changes it without atomic operations. So the twin counts the
 * access as lost, without a latency. */
#ifndef IOSPAN_NESTED_BPF_H
#define IOSPAN_NESTED_BPF_H

#include "bpf/cells.bpf.h"

/* maximum number of CPUs of a kernel; a power of two, because a CPU number is masked */
#define MAX_CPUS 8192

/* Shows if the completion program runs on a CPU, so that the second program only handles nested
 * completions. One element per CPU fills a cache line. */
struct running {
	u32 on;
	u32 pad[15];
};

static __always_inline volatile u32 *running_here(struct running *all)
{
	return &all[bpf_get_smp_processor_id() & (MAX_CPUS - 1)].on;
}

/* Counts an access that completed: as lost if @nested, otherwise with its latency @ns. @cell is the
 * index of its struct cell. @r is this CPU's stripe of the counters of the disk and operation. */
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
