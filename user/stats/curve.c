// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes a curve through measured points. Between the points, the logarithms of the values are
 * interpolated. */
#include "user/stats/curve.h"

#include <gsl/gsl_interp.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"

struct curve {
	unsigned n; /* number of points, including points without a value */
	/* Arrays of all .n points. .x: position. .y: logarithm of the value; NaN: no value. .half:
	 * half-width of the value's confidence interval, divided by the value. */
	double *x, *y, *half;
	unsigned known; /* number of points that have a value */
	/* The points that have a value. .known_x: position. .known_y: logarithm of the value. */
	double *known_x, *known_y;
	/* interpolation between the points that have a value; NULL: there are fewer than two such
	 * points */
	gsl_interp *between;
};

static double *doubles(unsigned n)
{
	return need(calloc(n + 1, sizeof(double)));
}

/* Prepares the interpolation between the points that have a value, by Steffen's method (curve.h).
 * This method needs three points. If there are only two, a straight line joins them. */
static void interpolate(struct curve *c)
{
	const gsl_interp_type *type = c->known < 3 ? gsl_interp_linear : gsl_interp_steffen;

	if (c->known < 2)
		return;
	c->between = need(gsl_interp_alloc(type, c->known));
	gsl_interp_init(c->between, c->known_x, c->known_y, c->known);
}

struct curve *curve_new(unsigned n, const double *x, const double *y, const double *half)
{
	struct curve *c = need(calloc(1, sizeof(*c)));

	*c = (struct curve){ .n = n,
			     .x = doubles(n),
			     .y = doubles(n),
			     .half = doubles(n),
			     .known_x = doubles(n),
			     .known_y = doubles(n) };
	for (unsigned i = 0; i < n; i++) {
		c->x[i] = x[i];
		c->y[i] = log(y[i]);
		c->half[i] = half[i];
		if (isnan(y[i]))
			continue;
		c->known_x[c->known] = x[i];
		c->known_y[c->known++] = c->y[i];
	}
	interpolate(c);
	return c;
}

void curve_free(struct curve *c)
{
	if (!c)
		return;
	gsl_interp_free(c->between);
	free(c->x);
	free(c->y);
	free(c->half);
	free(c->known_x);
	free(c->known_y);
	free(c);
}

/* Returns the larger of two numbers, or NaN if one of them is NaN (fmax() would ignore the NaN). */
static double larger(double a, double b)
{
	return a > b || isnan(a) ? a : b;
}

struct curve_value curve_at(const struct curve *c, double x)
{
	unsigned i = 0;

	if (!c || !c->n)
		return (struct curve_value){ NAN, NAN };
	while (i + 1 < c->n && c->x[i + 1] <= x)
		i++;
	if (x <= c->x[i] || i + 1 == c->n)
		return (struct curve_value){ c->y[i], c->half[i] };
	if (isnan(c->y[i]) || isnan(c->y[i + 1]))
		return (struct curve_value){ NAN, NAN };
	return (struct curve_value){
		gsl_interp_eval(c->between, c->known_x, c->known_y, x, NULL),
		larger(c->half[i], c->half[i + 1]),
	};
}
