/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_COMPUTE_H
#define IOSPAN_BEFF_COMPUTE_H

#include "bench/beff/beff.h"

/* Number of chunks that the timed reads and the final check did not find as written. */
u64 beff_errors(const struct beff *b);
/* Errors of the extensions, which do not affect the validity. */
u64 beff_extension_errors(const struct beff *b);
/* Frees the memory that the cells own. */
void beff_forget(struct beff *b);

/* Tp, the scheduled time of a pattern with U = @units: Tn * U / sum of U (paper, section 3; the sum
 * is over the access methods that run, as in revision 2.1). */
u64 beff_scheduled_ns(const struct beff *b, unsigned units);
/* Sum of Tp over the patterns of an access method. */
u64 beff_access_scheduled_ns(const struct beff *b, enum beff_access access);
/* Computes totals, averages, criteria and the value from the cells and the times of open and
 * close. */
void beff_compute(struct beff *b);

#endif
