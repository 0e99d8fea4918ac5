/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reuses the group numbers of removed cgroups, so that iospan can run for weeks. A number goes
 * through these states:
 *
 * in use --removed, no accesses for a while--> unlinked --nothing in flight--> read --> free
 *
 * BPF programs cannot find an unlinked group, but its accesses in flight end as before. If the
 * kernel later writes dirty pages of the removed cgroup, the cgroup gets a new group for these
 * accesses.
 *
 * In state "read", iospan reads the group for the last time. Then it adds the group's sums to the
 * parent. The total of the parent does not change, because it already includes child groups. */
#ifndef IOSPAN_RETIRE_H
#define IOSPAN_RETIRE_H

#include "user/kernel/maps.h"

/* Descriptors of BPF maps. group_index and cell_index find the numbers of groups and cells. A cell
 * has the counters of one group, disk and operation. free_groups and free_cells are queues of free
 * numbers. */
struct retire_maps {
	int group_index, cell_index, free_groups, free_cells;
};

/* Makes m->states and m->retire. @root is the directory of the command's cgroup. */
void retire_new(struct maps *m, const struct retire_maps *fds, const char *root);
void retire_free(struct maps *m);

/* Move the numbers of removed groups to their next state. Call retire_before() right before each
 * reading of the maps, and retire_after() right after it. If retire_new() was not called, both do
 * nothing. */
void retire_before(struct maps *m, u64 now);
void retire_after(struct maps *m, u64 now);

#endif
