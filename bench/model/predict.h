/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicts the performance of a workload that was not measured (Chen and Patterson 1993, section
 * 9). The paper assumes that the shape of the curve over one parameter does not depend on the
 * others:
 *
 *   Throughput(X, Y, Z, ...) = f_X(X) * f_Y(Y) * f_Z(Z) * ...
 *
 * With T_x for the curve over x, and f for the focal point of the region, this becomes
 *
 *   T(v) = T(f) * product over all x of T_x(v_x) / T_x(f_x)
 *
 * The paper leaves borders between regions open. Here, at a border, a fraction of the requests is
 * as fast as in the upper region, the others as in the lower region. The fraction follows from the
 * curve over uniqueBytes. Times per request are averaged, not rates. */
#ifndef IOSPAN_PREDICT_H
#define IOSPAN_PREDICT_H

#include <stdio.h>
#include "bench/model/model.h"

/* A measurement is expected between @low and @high. Both are NaN if the band is unknown; all three
 * are NaN if there is no prediction. */
struct estimate {
	double value, low, high;
};

enum band_source {
	BAND_NONE,
	BAND_POINTS,	 /* 95 % confidence intervals of the points */
	BAND_PROBES,	 /* 90 % quantile of the errors of the random probes */
	BAND_VALIDATION, /* 90 % quantile of the errors of the validation */
	BAND_BORDER,	 /* bands of the regions on both sides of the border */
};

struct prediction {
	struct workload at; /* parameters that were not given are at the focal point */
	const struct region *region;
	const struct border *border; /* NULL: within the region */
	struct estimate of[QUANTITIES];
	enum band_source band;
	enum method method;
	unsigned outside; /* bit p: parameter p is outside its curve; the nearest end is used */
	unsigned unknown; /* bit p: parameter p has no curve and is not at the focal point */
};

/* JSON key, title and text format of a quantity. */
struct quantity_row {
	const char *key, *title;
	const char *(*text)(char *buf, double v);
};
extern const struct quantity_row quantities[QUANTITIES];

/* Predicts by the method of the model. If that is kriging, its bandwidth at depth 1, divided by
 * that of the product, also corrects the other quantities and other depths. */
struct prediction predict(const struct model *m, const struct workload *w);
/* Predicts by the product of the curves. */
struct prediction predict_product(const struct model *m, const struct workload *w);

/* Returns the minimum and maximum of @p in the curve over it. */
struct range measured_range(const struct region *r, enum parameter p);

#endif
