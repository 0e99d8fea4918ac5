/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of bench sets. A set is an experiment with cases that differ in one parameter. Each
 * case has several runs. */
#ifndef IOSPAN_SETS_SETS_METRIC_H
#define IOSPAN_SETS_SETS_METRIC_H

#include "bench/sets/sets.h"

/* Computes the metrics of a run that took @elapsed_ns, from the sums of its layers. NULL in @of:
 * the layer was not measured. */
void sets_take(struct sets_run *run, u64 elapsed_ns, const struct sum *const of[LAYERS]);
struct spread sets_spread(const struct sets_case *c, enum sets_metric m);
/* Returns the correlation of metric @m with the execution time, over the cases of @e. The result is
 * positive if the correlation has the sign that is expected for the metric (He, Sun, Yin 2013,
 * section IV.B). */
struct correlation sets_correlation(const struct sets_experiment *e, enum sets_metric m);
/* Returns the correlation that an ideal rate, 1 / time, would have with the execution time. The
 * sign is as in sets_correlation(), so it is positive. The result is below 1, because the relation
 * is not linear. NaN: all times are equal. */
double sets_inverse_correlation(const struct sets_experiment *e);
enum sets_direction sets_in_paper(enum sets_kind kind, enum sets_metric m);

#endif
