/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The identities of groups (struct group), the states of their numbers, and the sums of retired
 * groups. A group is retired when its cgroup was removed and its number is reused. retire.c changes
 * these data and measure*.c reads them. */
#ifndef IOSPAN_GROUP_STATES_H
#define IOSPAN_GROUP_STATES_H

#include "user/kernel/maps.h"

enum group_phase { PHASE_IN_USE, PHASE_REMOVED, PHASE_UNLINKED, PHASE_READ, PHASE_FREE };

struct group_state {
	enum group_phase phase;
	bool busy; /* true if the group or a group below it has an access in flight or waiting */
	u64 id;	   /* from PHASE_UNLINKED on: the id that the group had before */
	/* in PHASE_REMOVED: the number of accesses, which has not changed since quiet_ns */
	u64 accesses, quiet_ns;
	/* sum of the groups below this one that were retired (retire.h); NULL: there are none */
	struct group_sum *retired;
};

struct group_states {
	struct group_state *list; /* states, indexed by number of the group */
	u32 n;
	/* per struct cell: sum of the cells below it that were retired (retire.h) */
	struct cell_counts *retired_cells;
	/* per disk and operation: lost accesses, and their bytes, of cells that were retired
	 * (retire.h) */
	struct cell_counts retired_lost[MAX_DISKS][DEVICE_OPS];
};

/* Makes the states of all groups. If there is no memory, it ends the program. */
struct group_states *group_states_new(const struct maps *m);
void group_states_free(struct group_states *s); /* @s may be NULL */

/* Returns the id of group @number, even if the group was unlinked. Returns 0 if no group has that
 * number. */
u64 group_id(const struct maps *m, u32 number);

/* Returns the path of a group relative to the command's cgroup: "/", "/a", "/a/b". For a process it
 * returns the name and process id: "fio[1234]". The caller frees the result. */
char *group_path(const struct maps *m, u32 number);

/* Returns true if retire.c has seen that the cgroup or process of group @number was removed. */
bool group_was_removed(const struct maps *m, u32 number);

/* Return the sums of the groups below group @number, and of the cells below struct cell number
 * @cell, that were retired (retire.h). They return NULL if there are none. */
const struct group_sum *group_retired(const struct maps *m, u32 number);
const struct cell_counts *group_retired_cells(const struct maps *m, u32 cell);

/* Adds the lost accesses of cells of (@disk, @op) that were retired (retire.h) to @to. */
void group_add_retired_lost(const struct maps *m, u32 disk, u32 op, struct sum *to);

#endif
