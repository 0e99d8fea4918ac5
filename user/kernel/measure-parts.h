/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes parts: the sums of a group by layer, disk and operation, including the groups below it.
 * A part for OP_BOTH is for reads and writes together. If per_part is false, all parts are for
 * OP_BOTH. */
#ifndef IOSPAN_KERNEL_MEASURE_PARTS_H
#define IOSPAN_KERNEL_MEASURE_PARTS_H

#include "user/kernel/maps.h"

/* Returns the parts that are not zero, in the order of their group numbers. If @cut is true, this
 * call ends an interval (interval.h), and the parts have only the accesses of this interval. The
 * caller frees the list. */
struct parts maps_parts(struct maps *m, bool cut);

/* Call this when another group gets the group number @group. The parts stored for this number
 * are those of the old group at the end of the previous interval (interval.h). Sets them to
 * zero. */
void maps_forget_parts(struct maps *m, u32 group);

#endif
