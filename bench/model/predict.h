/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicts the performance of a workload that was not measured (Chen and Patterson 1993, section
 * 9). The curve over one parameter is assumed to have the same shape for all values of the other
 * parameters:
 *
 *   T(v) = T(f) * product over all x of T_x(v_x) / T_x(f_x)
 *
 * T(v) is the performance, such as the bandwidth, of the workload v. v_x is the value of parameter
 * x in v. T_x is the measured curve over parameter x. f is the focal point, the workload through
 * which all curves pass.
 *
 * The paper does not predict at a border between regions. Here, a fraction of the requests is as
 * fast as in the region with more data, the others as in the region with less data. The curve over
 * uniqueBytes gives this fraction.
 *
 * Kriging, the other method, interpolates between all measured workloads. A band is the range in
 * which a measurement is expected. The random probes and the validation are measurements of random
 * workloads, which show the errors of predictions. */
#ifndef IOSPAN_PREDICT_H
#define IOSPAN_PREDICT_H

#include <stdio.h>
#include "bench/model/model.h"

/* A predicted value and its band: a measurement is expected between .low and .high. Without a band,
 * both are NaN. Without a prediction, all three are NaN. */
struct estimate {
	double value, low, high;
};

enum band_source {
	BAND_NONE,
	BAND_POINTS,	 /* from the 95 % confidence intervals of the measured points */
	BAND_PROBES,	 /* 90 % quantile of the errors of predictions for the random probes */
	BAND_VALIDATION, /* 90 % quantile of the errors of predictions in the validation */
	BAND_BORDER,	 /* at a border between regions: contains the bands of both regions */
};

struct prediction {
	/* the workload; parameters that were not given have their value at the focal point */
	struct workload at;
	const struct region *region;
	const struct border *border; /* the border in which the workload lies; NULL: none */
	struct estimate of[QUANTITIES];
	enum band_source band;
	enum method method;
	/* bit p: parameter p is outside the measured range, so the nearest value in the range is
	 * used */
	unsigned outside;
	/* bit p: the workload's value of parameter p is not that of the focal point, but the
	 * benchmark did not vary this parameter */
	unsigned unknown;
};

extern const char *const quantities[QUANTITIES];

/* Predicts with the method of the model. Kriging predicts only the bandwidth at depth 1. If this is
 * 10 % more than predict_product() predicts, for example, all rates of predict_product() are raised
 * by 10 %, also at other depths. */
struct prediction predict(const struct model *m, const struct workload *w);
/* Predicts by the product of the curves, even if the model's method is kriging. */
struct prediction predict_product(const struct model *m, const struct workload *w);
/* Returns the bandwidth at the focal point of m->regions[@region]. */
double predict_single_point(const struct model *m, unsigned region);

/* Returns the bandwidth of @w at depth 1 by kriging, even if the model's method is the product of
 * curves. No parameter of @w may be NaN. Returns NaN if there is no kriging. */
double predict_kriging(const struct model *m, const struct workload *w);

struct range measured_range(const struct region *r, enum parameter p);

#endif
