/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reuses the numbers of groups if their cgroups were removed. So an iospan that runs for weeks
 * needs no more numbers than there are groups at one time. The states of a number are:
 *
 *	in use --removed, no accesses for a while--> unlinked --nothing in flight--> read --> free
 *
 * BPF programs no longer find an unlinked group. Its accesses in flight end as before. If its
 * cgroup has another access later, because the kernel writes dirty pages after the removal, that
 * access counts in a new group. A group is freed after the next reading of the maps, so that this
 * reading still shows it. Then its sums are added to its parent group, which has always included
 * them. */
#ifndef IOSPAN_RETIRE_H
#define IOSPAN_RETIRE_H

#include "user/kernel/maps.h"

/* File descriptors of BPF maps: group_index and cell_index find the numbers of groups and cells,
 * free_groups and free_cells are queues of free numbers. */
struct retire_maps {
	int group_index, cell_index, free_groups, free_cells;
};

/* Sets m->states and m->retire. @root is the directory of the command's cgroup. If there is no
 * memory, it ends the program. */
void retire_new(struct maps *m, const struct retire_maps *fds, const char *root);
void retire_free(struct maps *m); /* may be called without retire_new() */

/* The caller calls these before and after each reading of the maps. Both do nothing without
 * retire_new(). */
void retire_before(struct maps *m, u64 now);
void retire_after(struct maps *m, u64 now);

#endif
