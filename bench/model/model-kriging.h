/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_MODEL_KRIGING_H
#define IOSPAN_MODEL_MODEL_KRIGING_H

#include "bench/model/model.h"

/* Prediction by kriging from all measured points, and the choice between kriging and the product of
 * the curves. The paper predicts by the product only (section 9). Section 10 proposes to feed
 * predictions back into the benchmark; the probes of bench/scale do that. */

/* Returns the JSON key of one of the MODEL_DIRECTIONS. */
const char *direction_key(int direction);
/* Sets @x to the position of @w: one coordinate per direction, from 0 to 1 within the axes of the
 * model. */
void model_place(const struct model *m, const struct workload *w, double x[MODEL_DIRECTIONS]);
/* Fits m->scale to the points, and then chooses the method as model_judge() does. */
void model_fit(struct model *m);
/* Builds the kriging with m->scale from the result. Chooses the method that predicts the probes
 * with the lower error; without probes, the product. model_of() calls this once. */
void model_judge(struct model *m);
/* Returns |predicted - measured| / measured; NaN if one of them is NaN. */
double error_share(double predicted, double measured);
/* Sorts @values. Sets @share to their median, 75 % and 90 % quantile; NaN if @n is 0. */
void error_quantiles(double *values, unsigned n, double share[3]);
/* Fills @to and *@n with the errors of @method for the random probes. If @which is PROBE_NEAR,
 * includes the probes near large errors. @to has room for all points of the model. */
void model_probe_errors(const struct model *m, enum method method, enum probe which,
			struct probe_error *to, unsigned *n);

#endif
