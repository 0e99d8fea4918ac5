/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_COMPUTE_H
#define IOSPAN_BEFF_COMPUTE_H

#include "bench/beff/beff.h"

/* Chunks that were not what was written, found by reads and by the last pass. */
u64 beff_errors(const struct beff *b);
/* The same of extensions, which no criterion asks for. */
u64 beff_extension_errors(const struct beff *b);
/* Frees what its cells hold: a part of that. */
void beff_forget(struct beff *b);

/* Tp of a pattern with so many units. */
u64 beff_scheduled_ns(const struct beff *b, unsigned units);
/* Of all patterns of an access method. */
u64 beff_access_scheduled_ns(const struct beff *b, enum beff_access access);
/* What follows from cells, opens and closes: totals, averages, criteria, the value. */
void beff_compute(struct beff *b);

#endif
