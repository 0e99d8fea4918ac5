/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up the counters and spans in the maps of the BPF programs: a sum for each layer, disk and
 * operation. */
#ifndef IOSPAN_KERNEL_MEASURE_H
#define IOSPAN_KERNEL_MEASURE_H

#include "user/kernel/maps.h"

/* Adds the T since the last sample to the total of each span. If a repair has shortened a span, its
 * total shrinks, but not below the value that was last reported. */
void maps_sample(struct maps *m, u64 now);

/* Does the same as maps_sample(), to be called after a repair. If the repair has shortened a span
 * by more than maps_sample() may reduce its total, the excess is forgotten. So it does not reduce T
 * from now on. */
void maps_restart(struct maps *m, u64 now);

/* Sets all sums of @to for the interval [@start_ns, @now). If @cut, the groups only have the
 * accesses since the last cut (interval.h). Returns 0 or -errno, and prints the error. */
int maps_measure(struct maps *m, u64 start_ns, u64 now, bool cut, struct measurement *to);

#endif
