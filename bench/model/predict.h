/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a system will do with a workload that nobody measured (Chen and Patterson 1993,
 * section 9): the shape of a curve over one parameter is taken to be the same wherever the
 * others are. So a prediction is what was measured at the focal point of the region, times,
 * for each parameter, what its curve has at the wanted value as a part of what it has at the
 * focal one.
 *
 * Within a border some requests go as fast as in the region before it, the others as in the
 * region behind: in which shares, the curve tells from which the border was found. Times per
 * request add, so that is how rates and times are mixed. */
#ifndef IOSPAN_PREDICT_H
#define IOSPAN_PREDICT_H

#include <stdio.h>
#include "bench/model/model.h"

/* @low to @high is where a measurement is expected; both are NaN if nothing is known of it,
 * all are if there is no prediction. */
struct estimate {
	double value, low, high;
};

enum band_source {
	BAND_NONE,
	BAND_POINTS,	 /* confidence intervals of the points, 95 % */
	BAND_PROBES,	 /* 90 % of the evaluation's random probes were as near */
	BAND_VALIDATION, /* 90 % of the workloads in a validation were as near */
	BAND_BORDER,	 /* and what the regions on both sides have */
};

struct prediction {
	struct workload at; /* what was not told is at the focal point */
	const struct region *region;
	const struct border *border; /* NULL: it lies within the region */
	struct estimate of[QUANTITIES];
	enum band_source band;
	enum method method;
	unsigned outside; /* bit p: parameter p is beyond its curve, whose end counts */
	unsigned unknown; /* bit p: not at the focal point, and there is no curve */
};

/* What a quantity is called, and how it is told. */
struct quantity_row {
	const char *key, *title;
	const char *(*text)(char *buf, double v);
};
extern const struct quantity_row quantities[QUANTITIES];

/* By the method that was less off. What kriging says of the bandwidth at depth 1, as a part of
 * what the product says, corrects the other quantities and other depths too. */
struct prediction predict(const struct model *m, const struct workload *w);
/* By the product, whatever is better. */
struct prediction predict_product(const struct model *m, const struct workload *w);

/* The least and the most of its curve over @p. */
struct range measured_range(const struct region *r, enum parameter p);

/* ---- as text and JSON ---- */

#endif
