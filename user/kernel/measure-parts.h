/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_KERNEL_MEASURE_PARTS_H
#define IOSPAN_KERNEL_MEASURE_PARTS_H

#include "user/kernel/maps.h"

void maps_add_counts(struct cell_counts *to, const struct cell_counts *from);
void maps_forget_parts(struct maps *m, u32 group);

/* Their parts in the order of their numbers, of groups that did something; the caller frees
 * the list. */
struct parts maps_parts(struct maps *m, bool cut);

#endif
