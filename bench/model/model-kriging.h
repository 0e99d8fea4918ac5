/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_MODEL_KRIGING_H
#define IOSPAN_MODEL_MODEL_KRIGING_H

#include "bench/model/model.h"

/* Prediction from all measured points by kriging, and the choice between it and the product of the
 * curves. The paper predicts by the product only (section 9); section 10 proposes to feed
 * predictions back into the benchmark, which the probes do. */

/* JSON key of a direction of kriging. */
const char *direction_key(int direction);
/* Sets @x to the position of @w, in each direction between 0 and 1 within the axes of the model. */
void model_place(const struct model *m, const struct workload *w, double x[MODEL_DIRECTIONS]);
/* Fits the scale of kriging, then does as model_judge(). */
void model_fit(struct model *m);
/* Builds the kriging at the scale of the result and chooses the method with the lower error for the
 * probes. Without probes the method is the product. model_of() calls it once. */
void model_judge(struct model *m);
/* Returns |predicted - measured| / measured; NaN if one of them is NaN. */
double error_share(double predicted, double measured);
/* Sorts @values and sets @share to their median, 75 % and 90 % quantile; NaN if @n is 0. */
void error_quantiles(double *values, unsigned n, double share[3]);
/* Sets @to[0..*@n-1] to the errors of @method for the random probes; with @which PROBE_NEAR also
 * for the probes near others. @to has room for all points of the model. */
void model_probe_errors(const struct model *m, enum method method, enum probe which,
			struct probe_error *to, unsigned *n);

#endif
