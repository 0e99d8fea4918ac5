/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes for how long each group shares its disks with other groups, and with the selected group
 * (selected.h). A group (cgroup or process) uses a disk while it has a read or write in flight on
 * it. */
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

/* Returns @group if it is below @n, the number of groups when a reading started. For a group that
 * was added later, returns GROUP_TOP, the command's cgroup. */
static inline u32 known_group(u32 n, u32 group)
{
	return group < n ? group : GROUP_TOP;
}

/* Sets .shares and .joint_ns of the groups from @parts. The .shares of all groups point into the
 * array to->shares, which this function allocates. */
void maps_measure_shares(const struct maps *m, const struct parts *parts,
			 const struct read_groups *groups, struct measurement *to);

#endif
