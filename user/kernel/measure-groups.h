/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the sums of each group (a cgroup or process with counters of its own). The sums of a
 * group include the groups below it. */
#ifndef IOSPAN_KERNEL_MEASURE_GROUPS_H
#define IOSPAN_KERNEL_MEASURE_GROUPS_H

#include "user/kernel/maps.h"

/* Sets the groups and parts of @to. Call maps_sample() before. If @cut is true, this reading ends
 * an interval (interval.h), and groups have only the accesses of this interval. */
void maps_measure_groups(struct maps *m, bool cut, struct measurement *to);

/* Call this when @group is removed, and its sums are added to the parent group (retire.h). Adds the
 * sums that @group had in earlier intervals (interval.h) to those of the parent. So the next
 * interval does not show them as new accesses of the parent. */
void maps_forget_group(struct maps *m, u32 group);

#endif
