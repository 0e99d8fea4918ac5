/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_FOCAL_H
#define IOSPAN_MODEL_FOCAL_H

#include "bench/model/model.h"

/* Value of @q at the focal point of @r for predictions (Chen and Patterson 1993, section 8); NaN:
 * none.
 *
 * The product of section 9 divides by it once per parameter, so its error matters most. It is the
 * mean, weighted by confidence intervals, of the measured value and an estimate from each curve:
 * the line between its neighbours. Curves bend, so FOCAL_BEND widens the estimates' intervals. */
#define FOCAL_BEND 0.05
double model_settled_focal(const struct region *r, enum quantity q);

#endif
