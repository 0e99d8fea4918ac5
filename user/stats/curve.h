/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A curve through measured points, such as a rate over a request size: logarithms are interpolated
 * by Steffen's method (1990, Astronomy and Astrophysics 239, 443-450), without peaks that were not
 * measured. The curve is constant before the first and after the last point. */
#ifndef IOSPAN_CURVE_H
#define IOSPAN_CURVE_H

#include <stdbool.h>

struct curve;

/* Makes a curve of @n points, which are copied. @x has their positions, ascending. @y has their
 * values above 0; NaN: no value. @half has the half-widths of their confidence intervals, divided
 * by the values, or NaN. */
struct curve *curve_new(unsigned n, const double *x, const double *y, const double *half);
void curve_free(struct curve *c);

struct curve_value {
	double log_y; /* logarithm of the curve's value; NaN if a neighbouring point has no value */
	/* relative half-width of the confidence interval; between two points, the larger one */
	double half;
};
struct curve_value curve_at(const struct curve *c, double x);

#endif
