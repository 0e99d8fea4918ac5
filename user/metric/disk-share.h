/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the fraction of time in which a group (a cgroup or process) shares its disks with other
 * groups, and how much slower its accesses are then. A group uses a disk while it has a read or
 * write in flight on the disk. It shares the disk while another measured group uses the disk as
 * well. Otherwise, it is alone on the disk. */
#ifndef IOSPAN_METRIC_DISK_SHARE_H
#define IOSPAN_METRIC_DISK_SHARE_H

#include "user/metric/measurement.h"

#define KEY_SHARING "sharing"
#define KEY_SHARED_FRACTION "shared_fraction"
#define KEY_SLOWDOWN "slowdown_ratio"

/* The times of a group on its disks. */
struct sharing {
	/* false: the times are unknown, and the other fields are 0. There are three reasons. First,
	 * the group used only stacked disks such as dm, or no disk. Second, two cgroups of the
	 * group's subtree used the same disk, so their times may overlap. Third, the sums include
	 * a removed cgroup of the subtree. */
	bool is_known;
	/* Sums in ns over all disks that are not stacked. .span_ns: time in which the group used
	 * the disk. .shared_ns: the part of .span_ns in which another group used the disk as
	 * well. */
	u64 span_ns, shared_ns;
};

struct sharing group_sharing(const struct group_sum *g);

/* Sets *@alone and *@shared to the reads and writes of @g. *@alone: those that started while no
 * other group used the disk. *@shared: those that started while another group used the disk as
 * well. @s: the result of group_sharing(), with known times. They are T of *@alone and *@shared. */
void sharing_sums(const struct group_sum *g, const struct sharing *s, struct sum *alone,
		  struct sum *shared);

/* Returns .shared_ns / .span_ns of group_sharing(), from 0 to 1: the fraction of the group's time
 * on disks that it shared with other groups. Returns NaN if the fraction is unknown. */
double group_shared_fraction(const struct group_sum *g);

/* Returns the slowdown by other groups: the mean latency of the group's accesses in shared time,
 * divided by the mean latency of its other accesses. Returns NaN if the times of the group are
 * unknown, or if there are no accesses of one kind. The start of an access decides of which kind it
 * is. If each access that overlaps shared time were of the first kind, that kind would get too many
 * long accesses. */
double group_slowdown(const struct group_sum *g);

#endif
