/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the I/O pressure (PSI) of the machine and of each cgroup with counters of its own. */
#ifndef IOSPAN_KERNEL_READ_PRESSURE_H
#define IOSPAN_KERNEL_READ_PRESSURE_H

#include "user/kernel/maps.h"

/* Sets @m->pressures. @root is the directory of the topmost measured cgroup. pauses[i] has the time
 * for which dirty throttling paused the tasks of group number i. If @pauses is NULL, dirty
 * throttling is not measured. */
void pressures_new(struct maps *m, const char *root, struct pause *pauses);
void pressures_free(struct maps *m);

/* Reads the pressure files of the machine and of all groups at time @now, and sets to->pressure. If
 * @cut is true, the pressure of a group is that of the interval that ends now (interval.h).
 * Otherwise it is the pressure since the cgroup was made. Does nothing without pressures_new(). */
void pressures_measure(struct maps *m, u64 now, bool cut, struct measurement *to);

/* Returns the pressure of @group that pressures_measure() has found. */
struct pressure pressure_of_group(const struct maps *m, u32 group);

/* Call this when the number of @group becomes free, so that the next group with this number starts
 * at 0. */
void pressure_forget_group(struct maps *m, u32 group);

#endif
