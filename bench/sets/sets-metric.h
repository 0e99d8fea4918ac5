/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_SETS_METRIC_H
#define IOSPAN_SETS_SETS_METRIC_H

#include "bench/sets/sets.h"

/* Computes the metrics of a run. @of: NULL for a layer that was not measured. */
void sets_take(struct sets_run *run, u64 elapsed_ns, const struct sum *const of[LAYERS]);
struct spread sets_spread(const struct sets_case *c, enum sets_metric m);
/* Correlation with the execution time, normalised as in section IV.B of the paper: positive if the
 * direction is the expected one. */
struct correlation sets_correlation(const struct sets_experiment *e, enum sets_metric m);
/* The coefficient of an ideal rate, 1 / time. It is below 1, as the relation is not linear. NaN:
 * all times are equal. */
double sets_inverse_correlation(const struct sets_experiment *e);
enum sets_direction sets_in_paper(enum sets_kind kind, enum sets_metric m);

#endif
