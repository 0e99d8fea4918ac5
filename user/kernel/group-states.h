/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The groups of the kernel programs: identity, life of their numbers, sums of retired groups.
 * retire.c changes these; measure*.c reads them. */
#ifndef IOSPAN_GROUP_STATES_H
#define IOSPAN_GROUP_STATES_H

#include "user/kernel/maps.h"

enum group_phase { PHASE_IN_USE, PHASE_REMOVED, PHASE_UNLINKED, PHASE_READ, PHASE_FREE };

struct group_state {
	enum group_phase phase;
	bool busy;		   /* it or a group below has something in flight or waiting */
	u64 id;			   /* from PHASE_UNLINKED on: the id that the group had */
	u64 accesses, quiet_ns;	   /* PHASE_REMOVED: has had @accesses since quiet_ns */
	struct group_sum *retired; /* sum of the retired groups below; NULL: none */
};

struct group_states {
	struct group_state *list; /* [number of the group] */
	u32 n;
	struct cell_counts *retired_cells; /* [cell]: sum of the retired cells below */
	struct cell_counts retired_lost[MAX_DISKS][DEVICE_OPS]; /* accesses and bytes */
};

/* Out of memory ends the program. */
struct group_states *group_states_new(const struct maps *m);
void group_states_free(struct group_states *s); /* NULL is fine */

/* The id of group @number, also after it was unlinked; 0: no group has that number. */
u64 group_id(const struct maps *m, u32 number);

/* The path of a group relative to the command's own: "/", "/a", "/a/b"; for a process its name and
 * number, "fio[1234]". The caller frees it. */
char *group_path(const struct maps *m, u32 number);

/* The cgroup, or process, of group @number was seen to be removed. */
bool group_was_removed(const struct maps *m, u32 number);

/* The sums of retired groups below group @number, and of retired cells below @cell; NULL: none. */
const struct group_sum *group_retired(const struct maps *m, u32 number);
const struct cell_counts *group_retired_cells(const struct maps *m, u32 cell);

/* Adds the lost accesses of retired cells of this disk and operation. */
void group_add_retired_lost(const struct maps *m, u32 disk, u32 op, struct sum *to);

#endif
