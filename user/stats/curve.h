/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A curve through measured points, such as a rate over a request size. Between two points it is
 * interpolated by Steffen's method (1990, Astronomy and Astrophysics 239, 443-450). So it is
 * smooth, and rises or falls steadily from each point to the next, without peaks that were not
 * measured. As the values are rates and times, their logarithms are interpolated. Before the first
 * and after the last point the curve is constant. */
#ifndef IOSPAN_CURVE_H
#define IOSPAN_CURVE_H

#include <stdbool.h>

struct curve;

/* Makes a curve of @n points. @x are their positions, ascending. @y are the values, all above 0;
 * NaN means that a point has no value. @half[i] is the half-width of the confidence interval of
 * value i, divided by the value, or NaN. Copies the arrays. */
struct curve *curve_new(unsigned n, const double *x, const double *y, const double *half);
void curve_free(struct curve *c);

struct curve_value {
	double log_y; /* logarithm of the curve's value; NaN if a neighbouring point has no value */
	/* relative half-width of the confidence interval; between two points, the larger of their
	 * half-widths */
	double half;
};
struct curve_value curve_at(const struct curve *c, double x);

#endif
