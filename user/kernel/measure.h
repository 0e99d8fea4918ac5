/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the maps of the kernel programs into sums for each layer, disk and operation. */
#ifndef IOSPAN_KERNEL_MEASURE_H
#define IOSPAN_KERNEL_MEASURE_H

#include "user/kernel/maps.h"

/* Adds to each total the T since the last sample. If a repair shortens a span, its total shrinks
 * too, but not below the value that was last reported. */
void maps_sample(struct maps *m, u64 now);

/* As maps_sample(). From here on all T counts, even if a repair has shortened a span by more than
 * its total could shrink: the total keeps the excess that was reported. */
void maps_restart(struct maps *m, u64 now);

/* Fills in @to for [@start_ns, @now). @cut: the groups only have what they did since the last cut.
 * Returns 0 or -errno; prints the error. */
int maps_measure(struct maps *m, u64 start_ns, u64 now, bool cut, struct measurement *to);

#endif
