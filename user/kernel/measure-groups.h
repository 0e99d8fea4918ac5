/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums for each group, which include the groups below it. */
#ifndef IOSPAN_KERNEL_MEASURE_GROUPS_H
#define IOSPAN_KERNEL_MEASURE_GROUPS_H

#include "user/kernel/maps.h"

/* Fills in the groups and parts of @to; needs a maps_sample() before. @cut: only what they did
 * since the last cut. */
void maps_measure_groups(struct maps *m, bool cut, struct measurement *to);

/* Moves what the last cut read of @group to the group above. To be called before the sums of @group
 * move there. */
void maps_forget_group(struct maps *m, u32 group);

#endif
