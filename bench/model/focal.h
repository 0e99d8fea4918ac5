/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_FOCAL_H
#define IOSPAN_MODEL_FOCAL_H

#include "bench/model/model.h"

/* Returns the value of quantity @q at the focal point of region @r (Chen and Patterson 1993,
 * section 8) that predictions use; NaN if there is none.
 *
 * The product of section 9 divides by this value once per parameter, so an error in it matters more
 * than in any other point. Each curve gives a second estimate: the line between its points on both
 * sides of the focal point. The result is the mean of the measured value and these estimates,
 * weighted by their confidence intervals. FOCAL_BEND widens the intervals of the estimates, because
 * curves bend. The points of the region keep their measured values. */
#define FOCAL_BEND 0.05
double model_settled_focal(const struct region *r, enum quantity q);

#endif
