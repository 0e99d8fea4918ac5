/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares ways to predict the workloads of a validation (Chen and Patterson 1993, section 9,
 * figures 12 and 14). A way is one of the methods (product of curves, kriging), or a single-point
 * benchmark. A single-point benchmark predicts the same bandwidth for every workload: here, the
 * bandwidth at the focal point of one region. */
#ifndef IOSPAN_BENCH_METHODS_H
#define IOSPAN_BENCH_METHODS_H

#include "bench/scale/validate.h"

/* Returns the number of ways: METHODS, plus one single-point benchmark for each region of the
 * model. */
unsigned ways_count(const struct model *m);
/* Returns the bandwidth that way number @way predicts for the workload of @t; NaN: no
 * prediction. */
double way_predicts(const struct model *m, unsigned way, const struct trial *t);
/* Returns a JSON array with the errors of each way for the measured workloads. */
struct out *ways_json(const struct validation *v);
/* Appends to @f the error of the best single-point benchmark. If there is none, appends nothing. */
void ways_conclusion(FILE *f, const struct validation *v);
extern const struct view_column ways_columns[];

#endif
