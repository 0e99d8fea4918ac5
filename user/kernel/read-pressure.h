/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the I/O pressure (PSI) of the machine and of each group. A group is a cgroup with counters
 * of its own. */
#ifndef IOSPAN_KERNEL_READ_PRESSURE_H
#define IOSPAN_KERNEL_READ_PRESSURE_H

#include "user/kernel/maps.h"

/* Makes m->pressures. @root is the directory of the topmost measured cgroup. pauses[i] has the time
 * for which dirty throttling paused the tasks of group number i. If @pauses is NULL, dirty
 * throttling is not measured. */
void pressures_new(struct maps *m, const char *root, struct pause *pauses);
void pressures_free(struct maps *m);

/* Reads the pressure of the machine and of all groups at time @now. Stores the pressure of the
 * machine in to->pressure. If @cut is true, the pressure of a group is for the interval that ends
 * now (interval.h). Otherwise it is for the time since the cgroup was made. Does nothing if
 * pressures_new() was not called. */
void pressures_measure(struct maps *m, u64 now, bool cut, struct measurement *to);

/* Returns the pressure that pressures_measure() found for @group. */
struct pressure pressure_of_group(const struct maps *m, u32 group);

/* Call this when the number @group becomes free. The next group with this number then starts at
 * 0. */
void pressure_forget_group(struct maps *m, u32 group);

#endif
