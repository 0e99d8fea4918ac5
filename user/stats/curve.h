/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes a curve through measured points, such as the rate at several request sizes. Between two
 * points, the logarithm of the value is interpolated by Steffen's method (1990, Astronomy and
 * Astrophysics 239, 443-450), which adds no peaks between the points. The curve is constant before
 * the first and after the last point. */
#ifndef IOSPAN_CURVE_H
#define IOSPAN_CURVE_H

#include <stdbool.h>

struct curve;

/* Makes a curve of @n points, which are copied. @x[i] is the position of point i; positions ascend.
 * @y[i] is its value, above 0; NaN: the point has no value. @half[i] is the half-width of the
 * confidence interval of this value, divided by the value; NaN: unknown. The caller frees the curve
 * by curve_free(). */
struct curve *curve_new(unsigned n, const double *x, const double *y, const double *half);
void curve_free(struct curve *c);

struct curve_value {
	/* natural logarithm of the value; NaN: one of the two neighbouring points has no value */
	double log_y;
	/* half-width of the confidence interval, divided by the value; between two points: the
	 * larger half-width of the two */
	double half;
};
struct curve_value curve_at(const struct curve *c, double x);

#endif
