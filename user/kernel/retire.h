/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reuses the numbers of groups that were removed. So groups that are created and removed for weeks
 * need no more numbers than groups that exist at one time.
 *
 *	in use --removed, no accesses for a while--> unlinked --nothing in flight--> read --> free
 *
 * The kernel programs no longer find an unlinked group; its accesses in flight end as before. If
 * the cgroup has another access later (dirty pages are written after the removal), it counts as a
 * new group. A group is freed after the next reading of the maps, so that this reading still shows
 * it. Its sums move to the group above, which has always included them. */
#ifndef IOSPAN_RETIRE_H
#define IOSPAN_RETIRE_H

#include "user/kernel/maps.h"

/* Descriptors of the indexes and of the free lists. */
struct retire_maps {
	int group_index, cell_index, free_groups, free_cells;
};

/* Sets m->states and m->retire. @root: directory of the command's cgroup. Out of memory ends the
 * program. */
void retire_new(struct maps *m, const struct retire_maps *fds, const char *root);
void retire_free(struct maps *m); /* also without retire_new() */

/* To be called before and after each reading of the maps. Both do nothing without retire_new(). */
void retire_before(struct maps *m, u64 now);
void retire_after(struct maps *m, u64 now);

#endif
