/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures for how long each group uses a disk at the same time as one selected group. A group is a
 * cgroup or process with counters of its own. It uses a disk while it has a read or write in flight
 * on it. The BPF programs measure the times (bpf/share.h). */
#ifndef IOSPAN_KERNEL_SELECTED_H
#define IOSPAN_KERNEL_SELECTED_H

#include "user/kernel/maps.h"

/* Selects the group with @id instead of the previously selected group; 0: selects no group. The
 * first sample after this call adds no time, because the BPF programs may still use the previously
 * selected group. */
void selected_set(struct maps *m, u64 id);

/* Call this whenever T is sampled. For each group, adds the time since the last sample in which
 * both the group and the selected group used the same disk. */
void selected_sample(struct maps *m, u64 now);

/* Returns the time in ns in which both the group of @cell and the selected group used the disk of
 * @cell. @cell is the index of an OP_BOTH cell, which stands for the reads and writes of one group
 * on one disk. */
u64 selected_joint_ns(const struct maps *m, u32 cell);

/* Sets the time of cell @cell (see selected_joint_ns()) to zero. Call this when the cell is freed,
 * because it will next be used for another group or disk. */
void selected_forget(struct maps *m, u32 cell);

void selected_free(struct maps *m);

#endif
