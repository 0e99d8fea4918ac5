/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the sums of each group by layer, disk and operation, which are called parts (struct
 * group_part). They include the groups below it. iospan measures them only with the option
 * per_part. */
#ifndef IOSPAN_KERNEL_MEASURE_PARTS_H
#define IOSPAN_KERNEL_MEASURE_PARTS_H

#include "user/kernel/maps.h"

/* Returns the parts that are not zero, ordered by the number of their group. If @cut, they only
 * have the accesses since the last cut (interval.h). The caller frees the list. */
struct parts maps_parts(struct maps *m, bool cut);

/* Sets the parts that @group had at the last cut (interval.h) to zero. Another group gets this
 * number, and its counters start at zero. */
void maps_forget_parts(struct maps *m, u32 group);

#endif
