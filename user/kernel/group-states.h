/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The phase of each group number (enum group_phase), and the sums of retired groups. If a cgroup
 * was removed, retire.c adds its sums to the parent group, and reuses its number. */
#ifndef IOSPAN_GROUP_STATES_H
#define IOSPAN_GROUP_STATES_H

#include "user/kernel/maps.h"

enum group_phase { PHASE_IN_USE, PHASE_REMOVED, PHASE_UNLINKED, PHASE_READ, PHASE_FREE };

struct group_state {
	enum group_phase phase;
	bool busy; /* true if the group or a group below it has an access in flight or waiting */
	/* in PHASE_UNLINKED and PHASE_READ: id of the cgroup, which struct group no longer has */
	u64 id;
	/* in PHASE_REMOVED: number of accesses at the last check, unchanged since quiet_ns; in
	 * PHASE_UNLINKED, quiet_ns is when the group was unlinked */
	u64 accesses, quiet_ns;
	/* sum of the child groups that were retired (retire.h); NULL: there are none */
	struct group_sum *retired;
};

struct group_states {
	struct group_state *list; /* states, indexed by number of the group */
	u32 n;
	/* counters of a cell's retired child cells (retire.h), indexed by struct cell */
	struct cell_counts *retired_cells;
	/* per disk and operation: lost accesses of all cells that were retired */
	struct cell_counts retired_lost[MAX_DISKS][DEVICE_OPS];
};

/* Makes the states of all groups. Ends the program if there is no memory. */
struct group_states *group_states_new(const struct maps *m);
void group_states_free(struct group_states *s);

/* Returns the id of group @number, the inode of its cgroup or group_process_id(), even after the
 * group was unlinked (retire.h). 0: there is no such group. */
u64 group_id(const struct maps *m, u32 number);

/* Returns "/a/b" for a cgroup below the command's, and "fio[1234]" for a process. The caller frees
 * the text. */
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
