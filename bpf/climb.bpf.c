// SPDX-License-Identifier: GPL-2.0-only
/* Changes the spans that include a cell's spans, after a span of the cell got busy or idle. A span
 * measures T of a set of accesses: the time in which at least one of them is in flight. A cell
 * (struct cell) has the indices of the spans of one group, disk and operation. The functions are
 * global, because the verifier checks a global function only once. */
#include "bpf/cells.bpf.h"

__noinline int global_climb_groups(u32 spans, u32 group, u64 now, bool busy)
{
	if (per_cgroup)
		climb_groups(NULL, spans, group, now, busy);
	return 0;
}

__noinline int global_climb_parts(u32 cell, u64 now, bool busy)
{
	climb_parts(NULL, cell, now, busy);
	return 0;
}

__noinline int cell_transition(u32 cell, u64 now, bool busy)
{
	transition_cell(NULL, cell, now, busy);
	return 0;
}

__noinline int global_climb_parents(u32 cell, u64 now, bool busy)
{
	climb_parents(NULL, cell, now, busy);
	return 0;
}

__noinline int vfs_cell_access(u32 cell, u64 now, bool busy)
{
	access_vfs_cell(NULL, cell, now, busy);
	return 0;
}
