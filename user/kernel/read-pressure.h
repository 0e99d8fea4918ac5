/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the I/O pressure (PSI) of the machine and of each cgroup that is a group. */
#ifndef IOSPAN_KERNEL_READ_PRESSURE_H
#define IOSPAN_KERNEL_READ_PRESSURE_H

#include "user/kernel/maps.h"

/* Sets @m->pressures. @root is the directory of the topmost measured cgroup. @pauses[number of a
 * group] is the time that dirty throttling paused its tasks. If @pauses is NULL, this is not
 * measured. */
void pressures_new(struct maps *m, const char *root, struct pause *pauses);
void pressures_free(struct maps *m);

/* Reads all files, at time @now, and sets to->pressure. Does nothing without pressures_new(). If
 * @cut, the pressure of a group is that since the last cut (interval.h), else that since the cgroup
 * was made. */
void pressures_measure(struct maps *m, u64 now, bool cut, struct measurement *to);

/* Returns the pressure of @group that pressures_measure() has found. */
struct pressure pressure_of_group(const struct maps *m, u32 group);

/* Call this when the number of @group becomes free, so that the next group with this number starts
 * at 0. */
void pressure_forget_group(struct maps *m, u32 group);

#endif
