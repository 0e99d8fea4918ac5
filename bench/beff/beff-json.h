/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of b_eff_io as JSON. A pattern repeats I/O calls with one chunk size. */
#ifndef IOSPAN_BEFF_BEFF_JSON_H
#define IOSPAN_BEFF_BEFF_JSON_H

#include <stdio.h>

#include "bench/beff/beff.h"
#include "user/result/view.h"

/* Returns the result of a run as a JSON document, which the caller frees. */
struct out *beff_document(const struct beff *b);
extern const struct view beff_views[];
extern const struct view beff_runs_views[]; /* views of beff_runs_document() */
/* Returns the name of the result: only MPI-IO measures b_eff_io. */
const char *beff_result_name(const struct beff *b);
/* Returns the version of the averages, such as "2.x". */
const char *beff_averages(const struct beff *b);

/* Writes the result of one finished pattern to @f, as one line of JSON. */
void beff_log(FILE *f, const struct beff *b, const struct beff_partition *p,
	      enum beff_access access, unsigned pattern);
/* Adds the measurements, and all results computed from them, to @doc. beff_verify() compares
 * exactly the keys that this function adds. */
void beff_results_json(struct out *doc, const struct beff *b);

#endif
