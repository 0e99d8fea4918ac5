/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of each group. The sums of a group include the groups below it. */
#ifndef IOSPAN_KERNEL_MEASURE_GROUPS_H
#define IOSPAN_KERNEL_MEASURE_GROUPS_H

#include "user/kernel/maps.h"

/* Fills in the groups and parts of @to. The caller has called maps_sample() before. With @cut, the
 * groups only have the accesses since the last cut. */
void maps_measure_groups(struct maps *m, bool cut, struct measurement *to);

/* Adds the sums of @group at the last cut to those of its parent group. It is called before the
 * current sums of @group move to the parent, so that the next cut shows no change of the parent. */
void maps_forget_group(struct maps *m, u32 group);

#endif
