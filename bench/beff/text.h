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
/* @n runs with other hints each beside each other: tables 2 and 3 of the paper. */
void beff_tables(FILE *f, const struct beff *const *sets, unsigned n);
struct table;
void beff_mb_cell(struct table *t, double bytes_per_s); /* for both */

/* The caller frees it. */
struct out *beff_document(const struct beff *b);
/* Its part that follows from what was measured, and that with it. */
void beff_results_json(struct out *doc, const struct beff *b);
/* Takes what was measured from a document, and computes what follows. -errno, printed. */
int beff_read(struct beff *b, const char *path, const struct out *doc);
/* Computes all again that follows from bytes and times in @doc, and says on @f where it is
 * not what the document says. How many differences there are, or -errno, printed. */
int beff_verify(FILE *f, const char *path);
/* Plots over the sizes of chunks, and the summary. -errno, printed. */
int beff_html(FILE *f, const void *b);

#endif
