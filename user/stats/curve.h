/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A curve through measured points. Between two points it is interpolated by Steffen's method (1990,
 * Astronomy and Astrophysics 239, 443-450). Such a curve is smooth, and monotone from each point to
 * the next, so it has no peaks that were not measured. The logarithms of the values are
 * interpolated, because the values are rates and times. Left of the first and right of the last
 * point the curve is constant. */
#ifndef IOSPAN_CURVE_H
#define IOSPAN_CURVE_H

#include <stdbool.h>

struct curve;

/* Makes a curve of @n points with ascending @x. The values @y are above 0; NaN means that the point
 * has no value. @half are the relative half-widths of the confidence intervals of the values, or
 * NaN. Copies all arrays. */
struct curve *curve_new(unsigned n, const double *x, const double *y, const double *half);
void curve_free(struct curve *c);

struct curve_value {
	double log_y; /* logarithm of the value; NaN if a point next to x has no value */
	double half;  /* relative half-width; between two points, the larger one of theirs */
};
struct curve_value curve_at(const struct curve *c, double x);

#endif
