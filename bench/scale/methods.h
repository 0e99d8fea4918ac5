/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares ways to predict the workloads of a validation: the product of curves, kriging, and a
 * single-point benchmark (Chen and Patterson 1993, section 9, figures 12 and 14), which predicts the
 * same bandwidth for every workload: here that of a region's focal point. */
#ifndef IOSPAN_BENCH_METHODS_H
#define IOSPAN_BENCH_METHODS_H

#include "bench/scale/validate.h"

/* Returns the number of ways: METHODS, and one for each region of the model. */
unsigned ways_count(const struct model *m);
/* Returns the bandwidth that way @way predicts for the workload of @t; NaN: no prediction. */
double way_predicts(const struct model *m, unsigned way, const struct trial *t);
/* Returns a JSON array with the errors of each way for the measured workloads. */
struct out *ways_json(const struct validation *v);
/* Appends to @f the error of the best single-point benchmark; nothing if there is none. */
void ways_conclusion(FILE *f, const struct validation *v);
extern const struct view_column ways_columns[];

#endif
