/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the sums of each group (a cgroup or process with counters), with those below it. */
#ifndef IOSPAN_KERNEL_MEASURE_GROUPS_H
#define IOSPAN_KERNEL_MEASURE_GROUPS_H

#include "user/kernel/maps.h"

/* Sets groups and parts of @to, after maps_sample(). @cut: only since the last cut (interval.h). */
void maps_measure_groups(struct maps *m, bool cut, struct measurement *to);

/* Call this when @group is retired. Adds its sums at the previous cut to those of the parent, so
 * that the next cut does not show its old accesses as new ones of the parent. */
void maps_forget_group(struct maps *m, u32 group);

#endif
