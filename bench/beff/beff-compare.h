/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares results of b_eff_io: runs with different hints, and results over numbers of processes,
 * within a system and across systems (Koniges, Rabenseifner and others 2001, figures 2 and 5). */
#ifndef IOSPAN_BEFF_BEFF_COMPARE_H
#define IOSPAN_BEFF_BEFF_COMPARE_H

#include "user/result/result.h"

/* Returns a document that compares the @n documents @runs, which beff_document() has made with
 * different hints. @wanted: number of runs that the user wants. The new document owns the documents
 * @runs. */
struct out *beff_runs_document(struct out *const *runs, unsigned n, unsigned wanted);
/* Reads the results in the files @paths, which ends with NULL, and prints a comparison. Returns 0
 * or -errno; prints the error. */
int beff_compare(char *const *paths, enum out_format format, struct output *html);

#endif
