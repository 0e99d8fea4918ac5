/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups that are gone give back their numbers, so that those who come and go for weeks need no
 * more than those who are there at once.
 *
 *	in use --gone and quiet--> unlinked --nothing in flight--> read once more --> free
 *
 * An unlinked group is not found any more by the kernel programs; what it has in flight ends as
 * before. One that does something later, as dirty pages of a group that was removed, is taken
 * for a new one. What a group did goes to the one above, which has had it all the time. */
#ifndef IOSPAN_RETIRE_H
#define IOSPAN_RETIRE_H

#include "user/kernel/tracer.h"

struct maps;
struct retire;

/* What the free numbers and the look-ups are behind. */
struct retire_maps {
	int group_index, cell_index, free_groups, free_cells;
};

/* For groups below @root, a directory. Out of memory ends the program. */
struct retire *retire_new(const struct maps *m, const struct retire_maps *fds, const char *root);
void retire_free(struct retire *r); /* NULL is fine */

/* Around each reading of the maps by retire_before() and retire_after(): what is free afterwards
 * has been read. */
void retire_before(struct maps *m, u64 now);
void retire_after(struct maps *m, u64 now);

/* The id of group @number, also when it is unlinked; 0: nobody has that number. */
u64 retire_id(const struct maps *m, u32 number);

/* The cgroup, or process, of group @number was seen to be removed. */
bool retire_is_gone(const struct maps *m, u32 number);

/* What the groups below @group, and the cells below @cell, did before they were retired. Of
 * disks, what was lost. NULL: nothing. */
const struct group_sum *retire_below(const struct maps *m, u32 group);
const struct cell_counts *retire_below_cell(const struct maps *m, u32 cell);
void retire_add_lost(const struct maps *m, u32 disk, u32 op, struct sum *to);

#endif
