/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts are a group's sums by layer, disk and operation, with the groups below it (per_part). */
#ifndef IOSPAN_KERNEL_MEASURE_PARTS_H
#define IOSPAN_KERNEL_MEASURE_PARTS_H

#include "user/kernel/maps.h"

/* Returns parts that are not zero, by group number. @cut: since the last cut. To be freed. */
struct parts maps_parts(struct maps *m, bool cut);

/* Clears the parts of @group at the last cut, because another group gets this number. */
void maps_forget_parts(struct maps *m, u32 group);

#endif
