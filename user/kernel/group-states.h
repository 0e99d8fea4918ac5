/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of each group number. A group is a cgroup or process with counters of its own. Its
 * number is its index in the BPF maps. After a cgroup was removed, retire.c adds the sums of its
 * group to the parent group. This is called retiring the group. Its number is then free for another
 * group. */
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
	/* in PHASE_UNLINKED and PHASE_READ: id of the cgroup, because group.id in the BPF map is
	 * then 0 */
	u64 id;
	/* In PHASE_REMOVED, .accesses is the group's number of accesses at the last check, and
	 * .quiet_ns is the time at which .accesses last changed. In PHASE_UNLINKED, .quiet_ns is
	 * the time at which this phase started. */
	u64 accesses, quiet_ns;
	/* sum of the retired child groups of this group; NULL: no child group was retired */
	struct group_sum *retired;
};

struct group_states {
	struct group_state *list; /* states, indexed by number of the group */
	u32 n;
	/* A cell (struct cell) has the counters of one group, disk and operation. .retired_cells
	 * has, for each cell, the counters that retired child groups had for the same disk and
	 * operation. */
	struct cell_counts *retired_cells;
	/* Lost accesses of all retired groups, per disk and operation. An access is lost if no BPF
	 * program saw its completion. */
	struct cell_counts retired_lost[MAX_DISKS][DEVICE_OPS];
};

/* Makes the states of all groups. Ends the program if there is no memory. */
struct group_states *group_states_new(const struct maps *m);
void group_states_free(struct group_states *s);

/* Returns the id of group @number: the inode of its cgroup, or the group_process_id() of its
 * process. BPF programs cannot find an unlinked group (PHASE_UNLINKED), but this function still
 * returns its id. Returns 0 if there is no such group. */
u64 group_id(const struct maps *m, u32 number);

/* Returns the path of a cgroup below the command's cgroup, such as "/a/b". For a process, returns
 * its name and id, such as "fio[1234]". The caller frees the text. */
char *group_path(const struct maps *m, u32 number);

/* Returns true if retire.c has seen that the cgroup or process of group @number was removed. */
bool group_was_removed(const struct maps *m, u32 number);

/* Returns the sum of the retired child groups of group @number, or NULL if there are none. */
struct group_sum *group_retired(const struct maps *m, u32 number);
/* Returns the counters that retired child groups had for the disk and operation of cell @cell.
 * Returns NULL if group numbers are not reused. */
const struct cell_counts *group_retired_cells(const struct maps *m, u32 cell);

/* Adds the lost accesses of all retired groups to @to, for operation @op on disk number @disk. An
 * access is lost if no BPF program saw its completion. */
void group_add_retired_lost(const struct maps *m, u32 disk, u32 op, struct sum *to);

#endif
