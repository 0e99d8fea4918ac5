/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the phase of each group number (enum group_phase) and the sums of retired groups. A group
 * is a cgroup or process with counters of its own, and its number is its index in the map of
 * groups. If the cgroup was removed, retire.c retires the group: it adds its sums to the parent
 * group and reuses the number. */
#ifndef IOSPAN_GROUP_STATES_H
#define IOSPAN_GROUP_STATES_H

#include "user/kernel/maps.h"

enum group_phase { PHASE_IN_USE, PHASE_REMOVED, PHASE_UNLINKED, PHASE_READ, PHASE_FREE };

struct group_state {
	enum group_phase phase;
	bool busy; /* true if the group or a group below it has an access in flight or waiting */
	/* in PHASE_UNLINKED and PHASE_READ: id of the cgroup, which struct group no longer has */
	u64 id;
	/* in PHASE_REMOVED: number of accesses at the last check, unchanged since quiet_ns */
	u64 accesses, quiet_ns;
	/* sum of the child groups that were retired (retire.h); NULL: there are none */
	struct group_sum *retired;
};

struct group_states {
	struct group_state *list; /* states, indexed by number of the group */
	u32 n;
	/* indexed by number of a struct cell: counters of its child cells that were retired
	 * (retire.h) */
	struct cell_counts *retired_cells;
	/* indexed by disk and operation: lost accesses of all cells that were retired, and their
	 * bytes */
	struct cell_counts retired_lost[MAX_DISKS][DEVICE_OPS];
};

/* Makes the states of all groups. If there is no memory, it ends the program. */
struct group_states *group_states_new(const struct maps *m);
void group_states_free(struct group_states *s); /* @s may be NULL */

/* Returns the id (inode number of the cgroup, or group_process_id()) of group @number, even if the
 * group was unlinked (retire.h). Returns 0 if no group has that number. */
u64 group_id(const struct maps *m, u32 number);

/* Returns the path of a group relative to the command's cgroup: "/", "/a", "/a/b". For a process it
 * returns the name and process id: "fio[1234]". The caller frees the result. */
char *group_path(const struct maps *m, u32 number);

/* Returns true if retire.c has seen that the cgroup or process of group @number was removed. */
bool group_was_removed(const struct maps *m, u32 number);

/* Returns the sum of the child groups of group @number that were retired, or NULL if there are
 * none. */
struct group_sum *group_retired(const struct maps *m, u32 number);
/* Returns the sum of the cells of retired child groups that have the same disk and operation as
 * struct cell number @cell: zeros if there are none, NULL without retire_new(). */
const struct cell_counts *group_retired_cells(const struct maps *m, u32 cell);

/* Adds to @to the lost accesses with (@disk, @op) of groups that were retired (retire.h). */
void group_add_retired_lost(const struct maps *m, u32 disk, u32 op, struct sum *to);

#endif
