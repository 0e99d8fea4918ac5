/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicts the performance of a workload that was not measured (Chen and Patterson 1993, section
 * 9). The paper assumes that the shape of the curve over one parameter does not depend on the other
 * parameters:
 *
 *   Throughput(X, Y, Z, ...) = f_X(X) * f_Y(Y) * f_Z(Z) * ...
 *
 * If T_x is the curve over x, and f the focal point of the region, this becomes
 *
 *   T(v) = T(f) * product over all x of T_x(v_x) / T_x(f_x)
 *
 * The paper does not say how to predict at borders between regions. Here, a fraction of the
 * requests is as fast as in the upper region, the others are as fast as in the lower region. The
 * fraction follows from the curve over uniqueBytes. The times per request are averaged, not the
 * rates. */
#ifndef IOSPAN_PREDICT_H
#define IOSPAN_PREDICT_H

#include <stdio.h>
#include "bench/model/model.h"

/* A predicted value and its band: a measurement is expected between .low and .high. Both are NaN if
 * the band is unknown. All three are NaN if there is no prediction. */
struct estimate {
	double value, low, high;
};

enum band_source {
	BAND_NONE,
	BAND_POINTS,	 /* the band is from 95 % confidence intervals of the points */
	BAND_PROBES,	 /* the band is from the 90 % quantile of the errors for random probes */
	BAND_VALIDATION, /* the band is from the 90 % quantile of the errors in the validation */
	BAND_BORDER,	 /* the band includes those of the regions on both sides of the border */
};

struct prediction {
	/* the workload, with focal values for parameters that were not given */
	struct workload at;
	const struct region *region;
	const struct border *border; /* border at which the workload lies; NULL: none */
	struct estimate of[QUANTITIES];
	enum band_source band;
	enum method method;
	unsigned outside; /* bit p: parameter p is outside its curve, and the nearest end is used */
	unsigned unknown; /* bit p: parameter p has no curve and is not at the focal point */
};

/* JSON keys of the quantities. */
extern const char *const quantities[QUANTITIES];

/* Predicts by the method of the model. Kriging predicts only the bandwidth at depth 1. Its ratio to
 * the bandwidth that the product predicts corrects the other quantities and depths too. */
struct prediction predict(const struct model *m, const struct workload *w);
/* Predicts by the product of the curves (section 9), whatever the method of the model. */
struct prediction predict_product(const struct model *m, const struct workload *w);

/* Returns the least and the largest value of parameter @p in the curve over it. */
struct range measured_range(const struct region *r, enum parameter p);

#endif
