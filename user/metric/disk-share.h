/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of its time a group (a cgroup or process) shares its disks with other groups, and how
 * much slower its accesses are then. A group is alone on a disk while it has a read or write in
 * flight on it, and no other measured group has; otherwise it shares the disk. */
#ifndef IOSPAN_METRIC_DISK_SHARE_H
#define IOSPAN_METRIC_DISK_SHARE_H

#include "user/metric/measurement.h"

#define KEY_SHARING "sharing"
#define KEY_SHARED_FRACTION "shared_fraction"
#define KEY_SLOWDOWN "slowdown_ratio"

struct sharing {
	/* false: not known, because several of the group and the groups below it had reads or writes
	 * on one disk; the other fields are then not set */
	bool is_known;
	/* T of the group on each of its disks that are not stacked, added up, and the part in which it shared the disk, in
	 * ns */
	u64 span_ns, shared_ns;
	/* Reads and writes that started while the group was alone on the disk, and those that started
	 * while another group used it, too. Their T are the times alone and shared, added up over the
	 * disks. */
	struct sum alone, shared;
};

struct sharing group_sharing(const struct group_sum *g);

/* Returns the part of the time in which the group shared its disks, from 0 to 1; NaN: unknown. */
double sharing_fraction(const struct sharing *s);

/* Returns the slowdown by other groups: the mean latency of the accesses that started in shared time,
 * divided by that of the others. The start decides, because a long access overlaps shared time more
 * often than a short one, even if other groups do not slow it down. NaN: unknown, or one of both has
 * no accesses. */
double sharing_slowdown(const struct sharing *s);

#endif
