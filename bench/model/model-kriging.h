/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_MODEL_KRIGING_H
#define IOSPAN_MODEL_MODEL_KRIGING_H

#include "bench/model/model.h"

/* Kriging: interpolates between all measured points. Chooses between it and the product of the
 * curves (section 9). bench/scale measures probes for it, the feedback of section 10. */

const char *direction_key(int direction);
/* Position of @w: a coordinate per direction, 0 to 1 over the measured range. */
void model_place(const struct model *m, const struct workload *w, double x[MODEL_DIRECTIONS]);
/* Fits m->scale to the points, then chooses the method as model_judge(). */
void model_fit(struct model *m);
/* Kriging with m->scale of the result. Chooses the method with the lower error for the probes;
 * without probes, the product. Called once per model. */
void model_judge(struct model *m);
/* Returns the relative error |predicted - measured| / measured; NaN if one of them is NaN. */
double error_share(double predicted, double measured);
/* Sorts @values and sets @share to their median, 75 % and 90 % quantile; NaN if there are none. */
void error_quantiles(double *values, unsigned n, double share[3]);
/* Errors of @method for the random probes; PROBE_NEAR in @which: also for those near large errors.
 * @to has room for all points. */
void model_probe_errors(const struct model *m, enum method method, enum probe which,
			struct probe_error *to, unsigned *n);

#endif
