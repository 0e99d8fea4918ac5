/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes for how long each group shares its disks with other groups, and with the selected group
 * (selected.h). A group (cgroup or process) uses a disk while it has a read or write in flight on
 * it. */
#ifndef IOSPAN_KERNEL_MEASURE_SHARES_H
#define IOSPAN_KERNEL_MEASURE_SHARES_H

#include "user/kernel/maps.h"

/* The groups of one measurement. sums[i]: sum of group number i; NULL: it had no accesses. If
 * .is_interval is true, the sums are those of one interval (interval.h). */
struct read_groups {
	struct group_sum **sums;
	u32 n;
	bool is_interval;
};

/* Returns @group, or GROUP_TOP (the command's cgroup) if @group was added after the reading
 * started. @n is the number of groups at the start of the reading. */
static inline u32 known_group(u32 n, u32 group)
{
	return group < n ? group : GROUP_TOP;
}

/* Sets .shares and .joint_ns in the sum of each group, from @parts. Allocates the array to->shares,
 * into which .shares of each group points. */
void maps_measure_shares(const struct maps *m, const struct parts *parts,
			 const struct read_groups *groups, struct measurement *to);

#endif
