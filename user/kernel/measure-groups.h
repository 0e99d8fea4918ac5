/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the sums of each group (a cgroup or process with counters of its own). The sums of a
 * group include the groups below it. */
#ifndef IOSPAN_KERNEL_MEASURE_GROUPS_H
#define IOSPAN_KERNEL_MEASURE_GROUPS_H

#include "user/kernel/maps.h"

/* Sets the groups and parts of @to. Call maps_sample() before. If @cut, groups only have the
 * accesses since the last cut (interval.h). */
void maps_measure_groups(struct maps *m, bool cut, struct measurement *to);

/* Call this when @group is retired, so that its accesses become those of the parent. Adds the sums
 * of @group at the previous cut (interval.h) to those of the parent. Otherwise the next cut would
 * show old accesses of @group as new accesses of the parent. */
void maps_forget_group(struct maps *m, u32 group);

#endif
