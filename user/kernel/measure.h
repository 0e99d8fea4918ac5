/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up the BPF programs' counters and spans: a sum per layer, disk and operation. */
#ifndef IOSPAN_KERNEL_MEASURE_H
#define IOSPAN_KERNEL_MEASURE_H

#include "user/kernel/maps.h"

/* Adds T since the last sample to each span's total. A repair may shrink it if not yet reported. */
void maps_sample(struct maps *m, u64 now);

/* Like maps_sample(), after a repair. If it shortened a span by more than its total may shrink, the
 * excess is forgotten and does not reduce T later. */
void maps_restart(struct maps *m, u64 now);

/* Sets the sums of @to for [@start_ns, @now). @cut: groups only have accesses since the last cut
 * (interval.h). Returns 0, or -errno after an error message. */
int maps_measure(struct maps *m, u64 start_ns, u64 now, bool cut, struct measurement *to);

#endif
