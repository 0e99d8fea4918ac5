/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures for how long each group uses a disk at the same time as one selected group. A group is a
 * cgroup or process with counters of its own. It uses a disk while it has a read or write in flight
 * on it. The BPF programs measure the times (bpf/share.h). */
#ifndef IOSPAN_KERNEL_SELECTED_H
#define IOSPAN_KERNEL_SELECTED_H

#include "user/kernel/maps.h"

/* Selects the group with @id, in place of the selected group; 0: selects none. The first sample
 * after this call adds no time, because BPF programs may still use the previous selection. */
void selected_set(struct maps *m, u64 id);

/* Call this when T has been read from the BPF maps. For each group and disk, finds the time since
 * the last sample in which both the group and the selected group used the disk. Adds it to the
 * joint time. */
void selected_sample(struct maps *m, u64 now);

/* Returns the time in ns in which both the group of @cell and the selected group used the disk of
 * @cell. @cell is the index of an OP_BOTH cell, which is for both the reads and the writes of a
 * group on a disk. */
u64 selected_joint_ns(const struct maps *m, u32 cell);

/* Sets the joint time of the cell with index @cell to zero. Call this when the cell is freed,
 * because another group or disk will use it. */
void selected_forget(struct maps *m, u32 cell);

void selected_free(struct maps *m);

#endif
