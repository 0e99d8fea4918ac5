/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the sums of each group (a cgroup or process with counters of its own). The sums of a
 * group include the groups below it. */
#ifndef IOSPAN_KERNEL_MEASURE_GROUPS_H
#define IOSPAN_KERNEL_MEASURE_GROUPS_H

#include "user/kernel/maps.h"

/* Sets the groups of @to, and their parts (sums by layer, disk and operation). First call
 * maps_sample(), which updates the times in which accesses were in flight. If @cut is true, this
 * reading ends an interval (interval.h), and groups have only the accesses of this interval. */
void maps_measure_groups(struct maps *m, bool cut, struct measurement *to);

/* Call this when the sums of the removed group @group are added to those of its parent (retire.h).
 * The sums of an interval are differences from the sums stored at the end of the previous interval.
 * So the stored sums of @group must be added to those of the parent, too. Otherwise the next
 * interval would show the accesses of @group as new accesses of the parent. */
void maps_forget_group(struct maps *m, u32 group);

#endif
