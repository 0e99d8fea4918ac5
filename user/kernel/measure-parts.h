/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of each group by layer, disk and operation, called parts (struct group_part). They include
 * the groups below and exist with per_part. */
#ifndef IOSPAN_KERNEL_MEASURE_PARTS_H
#define IOSPAN_KERNEL_MEASURE_PARTS_H

#include "user/kernel/maps.h"

/* Returns the parts that are not zero, ordered by the number of their group. With @cut, they only
 * have the accesses since the last cut. The caller frees the list. */
struct parts maps_parts(struct maps *m, bool cut);

/* Clears the parts of @group at the last cut, because another group that starts at zero will get
 * this number. */
void maps_forget_parts(struct maps *m, u32 group);

#endif
