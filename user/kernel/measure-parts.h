/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts: the sums of each group, with the groups below it, by layer, disk and operation. Only with
 * per_part. */
#ifndef IOSPAN_KERNEL_MEASURE_PARTS_H
#define IOSPAN_KERNEL_MEASURE_PARTS_H

#include "user/kernel/maps.h"

/* Returns the parts that are not zero, by group number. @cut: only with accesses since the last cut
 * (interval.h). The caller frees the list. */
struct parts maps_parts(struct maps *m, bool cut);

/* Clears the parts of @group at the last cut, because another group gets this number. */
void maps_forget_parts(struct maps *m, u32 group);

#endif
