/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel does not run a program within itself, so a completion in an interrupt that
 * hits another one would be lost. A twin of the program, attached once that has been seen
 * to happen, takes those. A row has one writer per CPU, which the twin may have
 * interrupted: what it sees is counted, not timed. */
#ifndef IOSPAN_NESTED_BPF_H
#define IOSPAN_NESTED_BPF_H

#include "bpf/cells.bpf.h"

#define MAX_CPUS 8192 /* as no kernel has more; power of two */

/* Is the program running on this CPU? A line each. */
struct running {
	u32 on;
	u32 pad[15];
};

/* That of this CPU among all. */
static __always_inline volatile u32 *running_here(struct running *all)
{
	return &all[bpf_get_smp_processor_id() & (MAX_CPUS - 1)].on;
}

/* An access of @cell, whose row is @r, is over, as the program or its twin has seen. */
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
	cell_lost(c, bytes);
	count(&losses.nested);
}

#endif
