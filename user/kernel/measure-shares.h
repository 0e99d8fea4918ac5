/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets the times that groups share their disks with other groups, and with the selected group. */
#ifndef IOSPAN_KERNEL_MEASURE_SHARES_H
#define IOSPAN_KERNEL_MEASURE_SHARES_H

#include "user/kernel/maps.h"

/* The groups of a reading. sums[i] has the sums of group number i; NULL: the group had no accesses.
 * .is_interval: the sums have only the accesses of an interval (interval.h). */
struct read_groups {
	struct group_sum **sums;
	u32 n;
	bool is_interval;
};

/* Returns @group. If a group was added after a reading of @n groups had started, returns GROUP_TOP, the
 * command's cgroup. */
static inline u32 known_group(u32 n, u32 group)
{
	return group < n ? group : GROUP_TOP;
}

/* Sets .shares and .joint_ns of the groups from @parts. to->shares has the memory of all shares. */
void maps_measure_shares(const struct maps *m, const struct parts *parts,
			 const struct read_groups *groups, struct measurement *to);

#endif
