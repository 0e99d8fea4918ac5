/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures for how long each group uses a disk at the same time as one selected group. The BPF
 * programs add to span.joint while span.selected of the disk has the index of a span (share.h). */
#ifndef IOSPAN_KERNEL_SELECTED_H
#define IOSPAN_KERNEL_SELECTED_H

#include "user/kernel/maps.h"

/* Selects the group with @id instead of the one before; 0: none. The times are 0 until the second
 * sample after that. */
void selected_set(struct maps *m, u64 id);

/* Adds the time since the last sample to the time of each group. */
void selected_sample(struct maps *m, u64 now);

/* Returns the time in ns in which the group and disk of @cell, with operation OP_BOTH, and the selected
 * group were busy on the disk, since the group was selected. */
u64 selected_joint_ns(const struct maps *m, u32 cell);

/* Sets the time of @cell to zero, because another group and disk get it. */
void selected_forget(struct maps *m, u32 cell);

void selected_free(struct maps *m);

#endif
