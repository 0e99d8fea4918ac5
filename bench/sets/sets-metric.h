/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_SETS_METRIC_H
#define IOSPAN_SETS_SETS_METRIC_H

#include "bench/sets/sets.h"

/* What a run came to; the layers that nobody measured are NULL. */
void sets_take(struct sets_run *run, u64 elapsed_ns, const struct sum *const of[LAYERS]);
struct spread sets_spread(const struct sets_case *c, enum sets_metric m);
/* With the execution time, normalised. */
struct correlation sets_correlation(const struct sets_experiment *e, enum sets_metric m);
/* What the coefficient would be of a rate that is the inverse of the time, as of the same work it
 * should be: below 1, as that is no straight line. NaN: the times are the same. */
double sets_inverse_correlation(const struct sets_experiment *e);
enum sets_direction sets_in_paper(enum sets_kind kind, enum sets_metric m);

#endif
