/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the fraction of time in which a group (a cgroup or process) shares its disks with other
 * groups, and how much slower its accesses are then. A group uses a disk while it has a read or
 * write in flight on the disk. While a group uses a disk, it is alone on the disk if no other
 * measured group uses the disk; otherwise it shares the disk. */
#ifndef IOSPAN_METRIC_DISK_SHARE_H
#define IOSPAN_METRIC_DISK_SHARE_H

#include "user/metric/measurement.h"

#define KEY_SHARING "sharing"
#define KEY_SHARED_FRACTION "shared_fraction"
#define KEY_SLOWDOWN "slowdown_ratio"

struct sharing {
	/* false: the other fields are not set, because the group used no disk (stacked disks do not
	 * count), or because one disk was used by more than one of these: the group, and the groups
	 * below it */
	bool is_known;
	/* Times in ns, added up over the disks of the group that are not stacked. .span_ns: T of
	 * the group on a disk. .shared_ns: time in which the group shared the disk. */
	u64 span_ns, shared_ns;
	/* .alone: reads and writes that started while the group was alone on the disk. .shared:
	 * reads and writes that started while another group used the disk, too. T of .alone is the
	 * time in which the group was alone on a disk, added up over its disks; T of .shared is the
	 * time in which it shared a disk. */
	struct sum alone, shared;
};

struct sharing group_sharing(const struct group_sum *g);

/* Returns .shared_ns / .span_ns, from 0 to 1: the fraction of the group's time on disks that it
 * shared with other groups. Returns NaN if the fraction is unknown. */
double sharing_fraction(const struct sharing *s);

/* Returns the slowdown by other groups: the mean latency of the accesses in .shared, divided by the
 * mean latency of the accesses in .alone. An access belongs to one of them by its start, because a
 * long access overlaps shared time more often than a short one, even if other groups do not slow it
 * down. Returns NaN if the slowdown is unknown, or if .alone or .shared has no accesses. */
double sharing_slowdown(const struct sharing *s);

#endif
