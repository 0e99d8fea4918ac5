/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the sums of each group (a cgroup or process with counters of its own). They include the
 * groups below it. */
#ifndef IOSPAN_KERNEL_MEASURE_GROUPS_H
#define IOSPAN_KERNEL_MEASURE_GROUPS_H

#include "user/kernel/maps.h"

/* Sets the groups and parts of @to. Call maps_sample() before. If @cut, groups only have the
 * accesses since the last cut (interval.h). */
void maps_measure_groups(struct maps *m, bool cut, struct measurement *to);

/* Call this when @group is retired. Adds its sums at the previous cut (interval.h) to those of the
 * parent. So the next cut does not show old accesses of @group as new ones of the parent. */
void maps_forget_group(struct maps *m, u32 group);

#endif
