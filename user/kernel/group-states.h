/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of each group number. A group is a cgroup or process with counters of its own. Its
 * number is its index in the BPF maps. After a cgroup was removed, retire.c adds the sums of its
 * group to the parent group. This is called retiring the group. Its number is then free for another
 * group. */
#ifndef IOSPAN_GROUP_STATES_H
#define IOSPAN_GROUP_STATES_H

#include "user/kernel/maps.h"

/* Phases of a group number, in this order. PHASE_REMOVED: the cgroup or process no longer exists.
 * PHASE_UNLINKED: BPF programs can no longer find the group. PHASE_READ: the group is read for the
 * last time and then retired. PHASE_FREE: the next new group may get the number. */
enum group_phase { PHASE_IN_USE, PHASE_REMOVED, PHASE_UNLINKED, PHASE_READ, PHASE_FREE };

struct group_state {
	enum group_phase phase;
	/* true: the number must not be freed yet. The group has a child group, or an access that is
	 * in flight or in the I/O scheduler. */
	bool busy;
	/* id of the cgroup, set in PHASE_UNLINKED and PHASE_READ; group.id in the BPF map is 0
	 * then */
	u64 id;
	/* In PHASE_REMOVED, .accesses is the number of accesses at the last check, and .quiet_ns is
	 * when this number last changed. In PHASE_UNLINKED, .quiet_ns is the start of the phase. */
	u64 accesses, quiet_ns;
	/* sum of the retired child groups; NULL: there are none */
	struct group_sum *retired;
};

struct group_states {
	struct group_state *list; /* states, indexed by group number */
	u32 n;
	/* For each cell: the counters that retired child groups had for the same disk and
	 * operation. A cell (struct cell) has the counters of one group, disk and operation. */
	struct cell_counts *retired_cells;
	/* per disk and operation: accesses of all retired groups for which no BPF program saw the
	 * completion */
	struct cell_counts retired_lost[MAX_DISKS][DEVICE_OPS];
};

/* Makes the states of all groups, or ends the program if memory is short. */
struct group_states *group_states_new(const struct maps *m);
void group_states_free(struct group_states *s);

/* Returns the id of group @number: the inode of its cgroup, or group_process_id() of its process.
 * Returns 0 if there is no such group. Also returns the id of an unlinked group (PHASE_UNLINKED),
 * which the BPF map no longer has. */
u64 group_id(const struct maps *m, u32 number);

/* Returns the path of a cgroup below the command's cgroup, such as "/a/b". For a process, returns
 * its name and id, such as "fio[1234]". The caller frees the text. */
char *group_path(const struct maps *m, u32 number);

/* Returns true if retire.c knows that the cgroup or process of group @number no longer exists. */
bool group_was_removed(const struct maps *m, u32 number);

/* Returns the sum of the retired child groups of group @number, or NULL if there are none. */
struct group_sum *group_retired(const struct maps *m, u32 number);
/* Cell @cell is for one group, disk and operation. Returns the counters of the group's retired
 * child groups for this disk and operation. Returns NULL if group numbers are not reused. */
const struct cell_counts *group_retired_cells(const struct maps *m, u32 cell);

/* Adds the lost accesses of all retired groups to @to, for operation @op on disk number @disk. No
 * BPF program saw the completion of a lost access. */
void group_add_retired_lost(const struct maps *m, u32 disk, u32 op, struct sum *to);

#endif
