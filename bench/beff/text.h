/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run of b_eff_io says: to people, and as a document. MB are 10^6 bytes. */
#ifndef IOSPAN_BENCH_BEFF_TEXT_H
#define IOSPAN_BENCH_BEFF_TEXT_H

#include <stdio.h>
#include "bench/beff/beff.h"

/* What differs from revision 2.1, or is more than it has. Ends with NULL. */
extern const char *const beff_deviations[];

/* A line of the protocol; as beff_progress. */
void beff_protocol(FILE *f, const struct beff *b, const struct beff_partition *p,
		   enum beff_access access, enum beff_type type, unsigned pattern);
void beff_summary(FILE *f, const struct beff *b);
struct table;
void beff_mb_cell(struct table *t, double bytes_per_s); /* for both */

#endif
