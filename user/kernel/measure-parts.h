/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums for each group, including the groups below, by layer, disk and operation: see per_part. */
#ifndef IOSPAN_KERNEL_MEASURE_PARTS_H
#define IOSPAN_KERNEL_MEASURE_PARTS_H

#include "user/kernel/maps.h"

/* The parts that are not zero, by number of their group. @cut: only what is new since the last cut.
 * The caller frees the list. */
struct parts maps_parts(struct maps *m, bool cut);

/* The number @group will get another group, which starts at zero. */
void maps_forget_parts(struct maps *m, u32 group);

#endif
