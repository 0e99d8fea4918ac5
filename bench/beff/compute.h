/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_COMPUTE_H
#define IOSPAN_BEFF_COMPUTE_H

#include "bench/beff/beff.h"

/* Returns the number of chunks that were not as written, in timed reads and in the final check. */
u64 beff_errors(const struct beff *b);
/* Returns the number of such chunks in the extensions, which do not affect the validity of a
 * result. */
u64 beff_extension_errors(const struct beff *b);
/* Frees the memory that the results of patterns (struct beff_cell) own. */
void beff_forget(struct beff *b);

/* Returns the scheduled time of a pattern with U = @units, in ns. It is Tp = Tn * U / sum of U
 * (b_eff_io paper, section 3). The sum is over the access methods that run, as in revision 2.1. */
u64 beff_scheduled_ns(const struct beff *b, unsigned units);
/* Returns the scheduled time of all patterns of an access method together, in ns. */
u64 beff_access_scheduled_ns(const struct beff *b, enum beff_access access);
/* Computes totals, averages, criteria and b_eff_io. The input is the results of patterns (struct
 * beff_cell) and the times of open and close. */
void beff_compute(struct beff *b);

#endif
