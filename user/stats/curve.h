/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A curve through measured points, such as a rate over a request size. The logarithms of the values
 * are interpolated by Steffen's method (1990, Astronomy and Astrophysics 239, 443-450), which adds
 * no peaks between the points. The curve is constant before the first and after the last point. */
#ifndef IOSPAN_CURVE_H
#define IOSPAN_CURVE_H

#include <stdbool.h>

struct curve;

/* Makes a curve of @n points, which are copied. @x has their positions, ascending. @y has their
 * values, which are above 0; NaN: no value. @half has the half-width of each value's confidence
 * interval, divided by the value; NaN: unknown. */
struct curve *curve_new(unsigned n, const double *x, const double *y, const double *half);
void curve_free(struct curve *c);

struct curve_value {
	double log_y; /* logarithm of the curve's value; NaN if a neighbouring point has no value */
	/* half-width of the confidence interval, divided by the value; between two points, the
	 * larger of their half-widths */
	double half;
};
struct curve_value curve_at(const struct curve *c, double x);

#endif
