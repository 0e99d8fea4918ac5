// SPDX-License-Identifier: GPL-2.0-or-later
/* Estimates the value at the focal point: the workload through which the curves of all parameters
 * of a region pass. A quantity is a result such as the bandwidth; a point is one measured
 * workload. */
#include "bench/model/focal.h"

#include <math.h>

struct mean {
	double sum, weight;
};

static double square(double v)
{
	return v * v;
}

static void mean_add(struct mean *m, double log_y, double variance)
{
	if (isnan(log_y) || !(variance > 0))
		return;
	m->sum += log_y / variance;
	m->weight += 1 / variance;
}

static const struct point *focal_point(const struct region *r, enum parameter p)
{
	const struct series *s = &r->series[p];

	for (unsigned i = 0; i < s->n; i++)
		if (s->points[i].at.v[p] == r->focal.v[p])
			return &s->points[i];
	return NULL;
}

/* Adds an estimate of quantity @q at the point @at to the mean @m. The estimate lies on the
 * straight line between the points before and after @at. It does not use the measurement of @at
 * itself. */
static void add_neighbours(struct mean *m, const struct series *s, const struct point *at,
			   enum parameter p, enum quantity q)
{
	const struct point *a = at - 1, *b = at + 1;
	double from, part;

	if (at == s->points || b == s->points + s->n)
		return;
	from = parameter_axis(p, a->at.v[p]);
	part = (parameter_axis(p, at->at.v[p]) - from) / (parameter_axis(p, b->at.v[p]) - from);
	mean_add(m, (1 - part) * log(a->value[q]) + part * log(b->value[q]),
		 square((1 - part) * a->half_width) + square(part * b->half_width) +
			 square(FOCAL_BEND));
}

double model_settled_focal(const struct region *r, enum quantity q)
{
	const struct point *own = NULL;
	struct mean mean = {};

	for (enum parameter p = 0; p < PARAM_DEPTH; p++) {
		const struct point *at = focal_point(r, p);

		if (!at)
			continue;
		own = at;
		add_neighbours(&mean, &r->series[p], at, p, q);
	}
	if (!own || isnan(own->value[q]))
		return NAN;
	mean_add(&mean, log(own->value[q]), square(own->half_width));
	return mean.weight > 0 ? exp(mean.sum / mean.weight) : own->value[q];
}
