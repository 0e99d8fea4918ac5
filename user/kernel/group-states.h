/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The phase of each group number (enum group_phase), and the sums of groups that no longer exist. A
 * group is a cgroup or process with counters of its own. After a cgroup was removed, retire.c adds
 * the sums of its group to the parent group. This is called retiring the group. Its number is then
 * free for another group. */
#ifndef IOSPAN_GROUP_STATES_H
#define IOSPAN_GROUP_STATES_H

#include "user/kernel/maps.h"

/* Phases of a group number, in this order. PHASE_REMOVED: the cgroup or process no longer exists.
 * PHASE_UNLINKED: BPF programs can no longer find the group. PHASE_READ: the group is read once
 * more and then retired. PHASE_FREE: the next new group may get the number. */
enum group_phase { PHASE_IN_USE, PHASE_REMOVED, PHASE_UNLINKED, PHASE_READ, PHASE_FREE };

struct group_state {
	enum group_phase phase;
	/* true: the number must not be freed yet, because the group has an access in flight or in
	 * the I/O scheduler, or has a child group */
	bool busy;
	/* in PHASE_UNLINKED and PHASE_READ: id of the cgroup; struct group has no id in these
	 * phases */
	u64 id;
	/* .accesses: in PHASE_REMOVED, the number of accesses of the group at the last check.
	 * .quiet_ns: in PHASE_REMOVED, the time at which .accesses last changed. In PHASE_UNLINKED,
	 * it is the time at which this phase started. */
	u64 accesses, quiet_ns;
	/* sum of the retired child groups of this group; NULL: no child group was retired */
	struct group_sum *retired;
};

struct group_states {
	struct group_state *list; /* states, indexed by number of the group */
	u32 n;
	/* For each cell, the counters of retired child groups with the cell's disk and operation.
	 * retire.c keeps them here and not in the BPF maps. A cell has the counters of one group,
	 * disk and operation. */
	struct cell_counts *retired_cells;
	/* per disk and operation: accesses that lost their completion, of all retired groups */
	struct cell_counts retired_lost[MAX_DISKS][DEVICE_OPS];
};

/* Makes the states of all groups. Ends the program if there is no memory. */
struct group_states *group_states_new(const struct maps *m);
void group_states_free(struct group_states *s);

/* Returns the id of group @number: the inode of its cgroup, or the group_process_id() of its
 * process. BPF programs cannot find an unlinked group (PHASE_UNLINKED), but this function still
 * returns its id. Returns 0 if there is no such group. */
u64 group_id(const struct maps *m, u32 number);

/* Returns "/a/b" for a cgroup below the command's, and "fio[1234]" for a process. The caller frees
 * the text. */
char *group_path(const struct maps *m, u32 number);

/* Returns true if retire.c has seen that the cgroup or process of group @number was removed. */
bool group_was_removed(const struct maps *m, u32 number);

/* Returns the sum of the retired child groups of group @number, or NULL if there are none. */
struct group_sum *group_retired(const struct maps *m, u32 number);
/* Returns the counters that retired child groups had for the disk and operation of cell @cell. They
 * are 0 if no child group was retired. Returns NULL if group numbers are not reused. */
const struct cell_counts *group_retired_cells(const struct maps *m, u32 cell);

/* Adds to @to the accesses with a lost completion that all retired groups had, for operation @op on
 * disk number @disk. */
void group_add_retired_lost(const struct maps *m, u32 disk, u32 op, struct sum *to);

#endif
