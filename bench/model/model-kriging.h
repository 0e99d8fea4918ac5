/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_MODEL_KRIGING_H
#define IOSPAN_MODEL_MODEL_KRIGING_H

#include "bench/model/model.h"

/* Is @p one of the points that the kriging is made of? */
bool model_kriges(const struct point *p);
const char *direction_key(int direction);
/* Where a workload lies, between 0 and 1 in each. */
void model_place(const struct model *m, const struct workload *w, double x[MODEL_DIRECTIONS]);
/* Searches the scale; then as model_judge(). */
void model_fit(struct model *m);
/* Makes the kriging at the scale that there is, and tells which method is less off. Without
 * probes nothing is done. Once: model_of() does so. */
void model_judge(struct model *m);
/* The error of a prediction, of what was measured; NaN without either. */
double error_share(double predicted, double measured);
/* Sorts @values; their median, 75 % and 90 %, NaN without any. */
void error_quantiles(double *values, unsigned n, double share[3]);
void model_probe_errors(const struct model *m, enum method method, enum probe which,
			struct probe_error *to, unsigned *n);

#endif
