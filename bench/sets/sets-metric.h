/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_SETS_METRIC_H
#define IOSPAN_SETS_SETS_METRIC_H

#include "bench/sets/sets.h"

/* Metrics of a run of @elapsed_ns. NULL in @of: not measured. */
void sets_take(struct sets_run *run, u64 elapsed_ns, const struct sum *const of[LAYERS]);
struct spread sets_spread(const struct sets_case *c, enum sets_metric m);
/* Of @m with the execution time over the cases; positive if it follows in the expected direction
 * (section IV.B). */
struct correlation sets_correlation(const struct sets_experiment *e, enum sets_metric m);
/* Of an ideal rate, 1 / time: below 1, because it is not linear. NaN: all times are equal. */
double sets_inverse_correlation(const struct sets_experiment *e);
enum sets_direction sets_in_paper(enum sets_kind kind, enum sets_metric m);

#endif
