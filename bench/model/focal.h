/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_FOCAL_H
#define IOSPAN_MODEL_FOCAL_H

#include "bench/model/model.h"

/* Returns the value of @q at the focal point of @r for predictions (Chen and Patterson 1993,
 * section 8); NaN: there is none. A prediction divides by it once per parameter, so its error
 * matters most.
 *
 * It is the mean of the measured value and one estimate from each curve, the line between the
 * points beside it, weighted by confidence intervals. FOCAL_BEND widens those of the estimates,
 * because curves bend. */
#define FOCAL_BEND 0.05
double model_settled_focal(const struct region *r, enum quantity q);

#endif
