/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes parts: the sums of a group by layer, disk and operation, including the groups below it.
 * Without per_part, only parts for OP_BOTH (reads and writes together) are computed. */
#ifndef IOSPAN_KERNEL_MEASURE_PARTS_H
#define IOSPAN_KERNEL_MEASURE_PARTS_H

#include "user/kernel/maps.h"

/* Returns the parts that are not zero, in the order of their group numbers. If @cut is true, this
 * reading ends an interval (interval.h), and parts have only the accesses of this interval. The
 * caller frees the list. */
struct parts maps_parts(struct maps *m, bool cut);

/* Call this when another group gets the number @group. The parts at the end of the previous
 * interval (interval.h) are stored. Sets the stored parts of the old group to zero. */
void maps_forget_parts(struct maps *m, u32 group);

#endif
