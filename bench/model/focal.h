/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_FOCAL_H
#define IOSPAN_MODEL_FOCAL_H

#include "bench/model/model.h"

/* Returns the value of @q at the focal point (Chen and Patterson 1993, section 8) that predictions
 * use; NaN if there is none. The product of section 9 divides by this value once per parameter, so
 * the error of this one measurement would count more than all others. Each curve gives a second
 * estimate, from the points beside the focal point. The result is the mean of these estimates and
 * the measurement, weighted by their intervals. FOCAL_BEND is added to the interval of an estimate
 * for the bend of its curve. The points of the region keep their measured values. */
#define FOCAL_BEND 0.05
double model_settled_focal(const struct region *r, enum quantity q);

#endif
