/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicts a workload that was not measured (Chen and Patterson 1993, section 9), assuming that the
 * curve over a parameter has the same shape for all values of the others:
 *
 *  Throughput(X, Y, Z, ...) = f_X(X) * f_Y(Y) * f_Z(Z) * ...
 *
 * With T_x the measured curve over x, and f the focal point, through which all curves pass:
 *
 *  T(v) = T(f) * product over all x of T_x(v_x) / T_x(f_x)
 *
 * The paper does not predict at borders. Here some requests are as fast as in one region, some as
 * in the other, by the curve over uniqueBytes; times per request are averaged. */
#ifndef IOSPAN_PREDICT_H
#define IOSPAN_PREDICT_H

#include <stdio.h>
#include "bench/model/model.h"

/* A measurement is expected in the band .low to .high (NaN: no band). All NaN: no prediction. */
struct estimate {
	double value, low, high;
};

enum band_source {
	BAND_NONE,
	BAND_POINTS,	 /* from the 95 % confidence intervals of the measured points */
	BAND_PROBES,	 /* from the errors for random probes, their 90 % quantile */
	BAND_VALIDATION, /* from the errors in the validation, their 90 % quantile */
	BAND_BORDER,	 /* at a border: contains the bands of the regions on both sides */
};

struct prediction {
	/* the workload; parameters that were not given have their value at the focal point */
	struct workload at;
	const struct region *region;
	const struct border *border; /* the border in which the workload lies; NULL: none */
	struct estimate of[QUANTITIES];
	enum band_source band;
	enum method method;
	/* bits of parameters outside the measured range; the nearest measured value is used */
	unsigned outside;
	/* bit p is set if parameter p was not measured and differs from the focal point */
	unsigned unknown;
};

extern const char *const quantities[QUANTITIES];

/* Kriging predicts the bandwidth at depth 1; its quotient with the product corrects the rest. */
struct prediction predict(const struct model *m, const struct workload *w);
/* Predicts by the product of the curves (section 9), even if the model's method is kriging. */
struct prediction predict_product(const struct model *m, const struct workload *w);

/* Returns the range in which parameter @p was measured in region @r. */
struct range measured_range(const struct region *r, enum parameter p);

#endif
