/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between retire.c and retire-mark.c: what is known of each group's number. */
#ifndef IOSPAN_RETIRE_SEATS_H
#define IOSPAN_RETIRE_SEATS_H

#include "user/kernel/maps.h"
#include "user/kernel/retire.h"

enum state { IN_USE, GONE, UNLINKED, READ, FREE };

struct seat {
	enum state state;
	bool busy;	   /* something in flight or waiting, or a group below */
	u64 id;		   /* unlinked: what it was */
	u64 did, quiet_ns; /* accesses that it had at that time */
	struct group_sum *below;
};

struct retire {
	struct retire_maps fds;
	char root[PATH_MAX];
	struct seat *seats;		 /* by number of the group */
	struct cell_counts *below_cells; /* by cell */
	struct cell_counts lost[MAX_DISKS][DEVICE_OPS];
	u64 looked_ns;
	bool looked; /* before the reading that is going on */
	u32 seats_n;
};

static inline struct seat *retire_seat(struct maps *m, u32 group)
{
	group &= ~GROUP_OTHER;
	return &m->retire->seats[group < m->retire->seats_n ? group : 0];
}

/* Sets what is busy, and whose free number somebody has taken; where @some are unlinked, all that
 * may keep one busy is looked at. */
void retire_mark(struct maps *m, u64 now, bool some);

#endif
