/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_SETS_METRIC_H
#define IOSPAN_SETS_SETS_METRIC_H

#include "bench/sets/sets.h"

/* Computes the metrics of a run that took @elapsed_ns. NULL in @of: the layer was not measured. */
void sets_take(struct sets_run *run, u64 elapsed_ns, const struct sum *const of[LAYERS]);
struct spread sets_spread(const struct sets_case *c, enum sets_metric m);
/* Returns the correlation with the execution time; positive if @m follows it as expected (section
 * IV.B). */
struct correlation sets_correlation(const struct sets_experiment *e, enum sets_metric m);
/* Returns the correlation of 1 / time with time: below 1, as it is not linear. NaN: equal times. */
double sets_inverse_correlation(const struct sets_experiment *e);
enum sets_direction sets_in_paper(enum sets_kind kind, enum sets_metric m);

#endif
