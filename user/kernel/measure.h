/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_KERNEL_MEASURE_H
#define IOSPAN_KERNEL_MEASURE_H

#include "user/kernel/maps.h"
#include "user/kernel/tracer.h"

/* Adds to each total the T since the last sample. If a repair shortens a span, its total shrinks
 * too, but not below the value that was last reported. */
void maps_sample(struct maps *m, u64 now);

/* As maps_sample(). From here on all T counts, even if a repair has shortened a span by more than
 * its total could shrink: the total keeps the excess that was reported. */
void maps_restart(struct maps *m, u64 now);

/* @cut: of groups, what they have done since the last one. */
int maps_measure(struct maps *m, u64 start_ns, u64 now, bool cut, struct measurement *to);

/* How many accesses @row has over all its stripes, and all that it has. */
u64 maps_accesses(const struct maps *m, u32 row);
void maps_add_row(const struct maps *m, u32 row, struct sum *to);

#endif
