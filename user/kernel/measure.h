/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up the counters and spans in the BPF maps: a sum per layer, disk and operation. */
#ifndef IOSPAN_KERNEL_MEASURE_H
#define IOSPAN_KERNEL_MEASURE_H

#include "user/kernel/maps.h"

/* Adds the T since the last sample to the total of each span. If a repair has shortened a span, its
 * total shrinks, but not below the value that was last reported. */
void maps_sample(struct maps *m, u64 now);

/* Like maps_sample(), to be called after a repair. If the repair shortened a span by more than its
 * total may shrink, the excess is forgotten, so it does not reduce T later. */
void maps_restart(struct maps *m, u64 now);

/* Sets the sums of @to for the time [@start_ns, @now). If @cut, groups only have accesses since the
 * last cut (interval.h). Returns 0 or -errno; prints the error. */
int maps_measure(struct maps *m, u64 start_ns, u64 now, bool cut, struct measurement *to);

#endif
