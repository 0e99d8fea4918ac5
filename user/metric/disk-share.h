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

struct sharing {
	/* false: the other fields are not set. Either the group used no disk (stacked disks such as
	 * dm do not count), or one disk was used by two cgroups of its subtree. */
	bool is_known;
	/* Sums in ns over all disks that are not stacked. .span_ns: time in which the group used
	 * the disk. .shared_ns: the part of .span_ns in which another group used the disk as
	 * well. */
	u64 span_ns, shared_ns;
	/* Reads and writes of the group. .alone: those that started while no other group used the
	 * disk. .shared: those that started while another group used the disk, too. The busy time
	 * is .span_ns - .shared_ns in .alone, and .shared_ns in .shared. */
	struct sum alone, shared;
};

struct sharing group_sharing(const struct group_sum *g);

/* Returns .shared_ns / .span_ns, from 0 to 1: the fraction of the group's time on disks that it
 * shared with other groups. Returns NaN if the fraction is unknown. */
double sharing_fraction(const struct sharing *s);

/* Returns the slowdown by other groups: the mean latency of the accesses in .shared, divided by the
 * mean latency of the accesses in .alone. Returns NaN if the slowdown is unknown, or if .alone or
 * .shared has no accesses. The start of an access decides if it is in .alone or .shared. An overlap
 * in time would be biased, because long accesses overlap shared time more often than short ones. */
double sharing_slowdown(const struct sharing *s);

#endif
