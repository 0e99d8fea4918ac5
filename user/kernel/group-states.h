/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The phase of each group number (enum group_phase), and the sums of retired groups. A group is a
 * cgroup or process with counters of its own. If a cgroup was removed, retire.c adds its sums to
 * the parent group, and reuses its number. */
#ifndef IOSPAN_GROUP_STATES_H
#define IOSPAN_GROUP_STATES_H

#include "user/kernel/maps.h"

enum group_phase { PHASE_IN_USE, PHASE_REMOVED, PHASE_UNLINKED, PHASE_READ, PHASE_FREE };

struct group_state {
	enum group_phase phase;
	/* true: the number must not be freed yet, because the group has an access in flight or in
	 * the I/O scheduler, or there is a group below it */
	bool busy;
	/* in PHASE_UNLINKED and PHASE_READ: id of the cgroup, which struct group no longer has */
	u64 id;
	/* In PHASE_REMOVED, .accesses is the number of accesses at the last check, and .quiet_ns is
	 * the time of the last change of this number. In PHASE_UNLINKED, .quiet_ns is the time at
	 * which the group was unlinked. */
	u64 accesses, quiet_ns;
	/* sum of the child groups that were retired (retire.h); NULL: none was retired */
	struct group_sum *retired;
};

struct group_states {
	struct group_state *list; /* states, indexed by number of the group */
	u32 n;
	/* counters that retired child groups (retire.h) have added to a cell; indexed by number of
	 * the cell */
	struct cell_counts *retired_cells;
	/* per disk and operation: accesses with a lost completion, of all cells that were
	 * retired */
	struct cell_counts retired_lost[MAX_DISKS][DEVICE_OPS];
};

/* Makes the states of all groups. Ends the program if there is no memory. */
struct group_states *group_states_new(const struct maps *m);
void group_states_free(struct group_states *s);

/* Returns the id of group @number: the inode of its cgroup, or the group_process_id() of its
 * process. If the group was unlinked (retire.h), returns the id that it had. Returns 0 if there is
 * no such group. */
u64 group_id(const struct maps *m, u32 number);

/* Returns "/a/b" for a cgroup below the command's, and "fio[1234]" for a process. The caller frees
 * the text. */
char *group_path(const struct maps *m, u32 number);

/* Returns true if retire.c has seen that the cgroup or process of group @number was removed. */
bool group_was_removed(const struct maps *m, u32 number);

/* Returns the sum of the child groups of group @number that were retired, or NULL if there are
 * none. */
struct group_sum *group_retired(const struct maps *m, u32 number);
/* Returns the counters that retired child groups had for the disk and operation of struct cell
 * number @cell. They are 0 if no child group was retired. Returns NULL if retire_new() was not
 * called. */
const struct cell_counts *group_retired_cells(const struct maps *m, u32 cell);

/* Adds to @to the accesses of retired groups (retire.h), by operation @op on disk number @disk,
 * that have lost their completion. */
void group_add_retired_lost(const struct maps *m, u32 disk, u32 op, struct sum *to);

#endif
