/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of b_eff_io as text. MiB are 2^20 bytes. */
#ifndef IOSPAN_BENCH_BEFF_TEXT_H
#define IOSPAN_BENCH_BEFF_TEXT_H

#include <stdio.h>
#include "bench/beff/beff.h"

/* Texts about deviations from revision 2.1 and additions to it. The list ends with NULL. */
extern const char *const beff_deviations[];

/* Prints a line of the protocol. The arguments are those of beff_progress. */
void beff_protocol(FILE *f, const struct beff *b, const struct beff_partition *p,
		   enum beff_access access, enum beff_type type, unsigned pattern);
void beff_summary(FILE *f, const struct beff *b);
struct table;
void beff_mib_cell(struct table *t, double bytes_per_second);

#endif
