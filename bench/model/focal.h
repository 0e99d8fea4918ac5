/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimates a quantity, a result such as the bandwidth, at the focal point of a region. A region is
 * a range of uniqueBytes, the amount of data. The curves over all parameters of the workload pass
 * through the focal point. */
#ifndef IOSPAN_MODEL_FOCAL_H
#define IOSPAN_MODEL_FOCAL_H

#include "bench/model/model.h"

/* Returns the value of @q at the focal point of @r for predictions (Chen and Patterson 1993,
 * section 8); NaN: there is none. A prediction divides by this value once per parameter, so its
 * error matters most.
 *
 * The value is a weighted mean of the measurement at the focal point and of one estimate per curve.
 * The estimate lies on the straight line between the points before and after the focal point. A
 * value with a narrow confidence interval has a larger weight. FOCAL_BEND widens the intervals of
 * the estimates, because curves are not straight. */
#define FOCAL_BEND 0.05
double model_settled_focal(const struct region *r, enum quantity q);

#endif
