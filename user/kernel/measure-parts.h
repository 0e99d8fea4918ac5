/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes parts: the sums of a group by layer, disk and operation, including the groups below it.
 * Parts are measured only with per_part. */
#ifndef IOSPAN_KERNEL_MEASURE_PARTS_H
#define IOSPAN_KERNEL_MEASURE_PARTS_H

#include "user/kernel/maps.h"

/* Returns the parts that are not zero, in the order of their group numbers. If @cut, they have only
 * the accesses since the last cut (interval.h). The caller frees the list. */
struct parts maps_parts(struct maps *m, bool cut);

/* Sets the parts that @group had at the last cut (interval.h) to zero, because another group gets
 * this number. */
void maps_forget_parts(struct maps *m, u32 group);

#endif
