/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the result of b_eff_io from its measurements. A pattern repeats calls that access chunks
 * of one size, by an access method (write, rewrite or read). Extensions are reads that the b_eff_io
 * paper does not define. A partition is a group of processes. */
#ifndef IOSPAN_BEFF_COMPUTE_H
#define IOSPAN_BEFF_COMPUTE_H

#include "bench/beff/beff.h"

/* Returns the number of chunks in which a read found other data than were written. Includes the
 * timed reads and the final check. */
u64 beff_errors(const struct beff *b);
/* Returns the number of chunks in which an extension read wrong data. These chunks do not make a
 * result invalid. */
u64 beff_extension_errors(const struct beff *b);
/* Sets the metrics of the layers of @c. @c owns @layers from then on. */
void beff_set_layers(struct beff_cell *c, struct out *layers);
/* Frees the memory that the results of the patterns own. */
void beff_forget(struct beff *b);

/* Returns the scheduled time Tp of a pattern with weight @units (U), in ns: Tp = Tn * U / sum of U,
 * where Tn is the time of the partition (b_eff_io paper, section 3). The sum includes each pattern
 * once per access method with which it runs, as in revision 2.1. */
u64 beff_scheduled_ns(const struct beff *b, unsigned units);
u64 beff_access_scheduled_ns(const struct beff *b, enum beff_access access);
/* Returns b_eff_io of a partition, by version 1.x or 2.x as in @b; NaN: unknown. */
double beff_value(const struct beff *b, const struct beff_partition *p);
/* Computes totals, averages, criteria and b_eff_io from the results of the patterns (struct
 * beff_cell) and the times of open and close. */
void beff_compute(struct beff *b);

#endif
