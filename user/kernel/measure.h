/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up the counters and spans in the BPF maps: a sum per layer, disk and operation. A span
 * measures T, the time in which at least one access is in flight. */
#ifndef IOSPAN_KERNEL_MEASURE_H
#define IOSPAN_KERNEL_MEASURE_H

#include "user/kernel/maps.h"

/* Adds the change of T since the last sample to the total of each span. The change may be negative,
 * because a repair (repair.h) can end an access at an earlier time. The total never shrinks below
 * the last reported value. */
void maps_sample(struct maps *m, u64 now);

/* Call this instead of maps_sample() after repairs. A repair may make T smaller than the
 * reported total. The total then keeps its value, and all later increases of T are added to it. */
void maps_restart(struct maps *m, u64 now);

/* Sets the sums of @to, from @start_ns until @now. If @cut is true, this call ends an interval
 * (interval.h), and the sums of groups have only the accesses of this interval. Otherwise they have
 * the accesses since @start_ns. Returns 0 or -errno; prints the error. */
int maps_measure(struct maps *m, u64 start_ns, u64 now, bool cut, struct measurement *to);

#endif
