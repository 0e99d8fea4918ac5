/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kriging predicts the bandwidth of a workload by interpolation between all measured points. It is
 * used if its error is lower than that of the product of curves (predict.h). A direction is a
 * coordinate of kriging. There is a direction for each parameter except the depth, and one for the
 * height of the curve over uniqueBytes. */
#ifndef IOSPAN_MODEL_MODEL_KRIGING_H
#define IOSPAN_MODEL_MODEL_KRIGING_H

#include "bench/model/model.h"

const char *direction_key(int direction);
/* Sets @x to the coordinates of workload @w for kriging. Each coordinate goes from 0 to 1 over the
 * measured range. */
void model_place(const struct model *m, const struct workload *w, double x[MODEL_DIRECTIONS]);
/* Fits m->scale to the points, and chooses the method as model_judge() does. */
void model_fit(struct model *m);
/* Prepares kriging with the parameters m->scale, and computes the errors of both methods for the
 * probes. Chooses the method with the lower error. With fewer than 8 probes, chooses the product of
 * curves. */
void model_judge(struct model *m);
/* Returns |predicted - measured| / measured; NaN if a value is NaN or @measured is 0. */
double error_share(double predicted, double measured);
/* Sorts @values and sets @share to their median, 75 % and 90 % quantile; NaN if @n is 0. */
void error_quantiles(double *values, unsigned n, double share[3]);
/* Stores the errors of @method for the random probes in @to, and their number in *@n. If @which is
 * PROBE_NEAR, also stores the errors for the probes near workloads with large errors. @to must have
 * room for all points of the model. */
void model_probe_errors(const struct model *m, enum method method, enum probe which,
			struct probe_error *to, unsigned *n);

#endif
