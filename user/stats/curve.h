/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A curve through measured points. Between points it is interpolated by Steffen's method (1990,
 * Astronomy and Astrophysics 239, 443-450), which is smooth and monotone from each point to the
 * next, so it has no peaks that were not measured. The logarithms of the values are interpolated,
 * because the values are rates and times. Outside of the points the curve is constant. */
#ifndef IOSPAN_CURVE_H
#define IOSPAN_CURVE_H

#include <stdbool.h>

struct curve;

/* Makes a curve of @n points at ascending @x. @y are the values, above 0, or NaN for none. @half
 * are the relative half-widths of their confidence intervals, or NaN. Copies all arrays. */
struct curve *curve_new(unsigned n, const double *x, const double *y, const double *half);
void curve_free(struct curve *c);

struct curve_value {
	double log_y; /* NaN: no value next to this place */
	double half;  /* relative half-width; between two points the larger one */
};
struct curve_value curve_at(const struct curve *c, double x);

#endif
