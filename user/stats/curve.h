/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A curve through measured points. Between them it is Steffen's (1990): smooth, and monotone
 * from each point to the next, so that it has no peak that nobody measured. Values are
 * interpolated by their logarithms, for they are rates and times; beyond its ends a curve
 * stays as it is there. */
#ifndef IOSPAN_CURVE_H
#define IOSPAN_CURVE_H

#include <stdbool.h>

struct curve;

/* @n points at ascending @x, with the values @y: above 0, or NaN for none; and how well each
 * is known, as a share: NaN for not known. All are copied. */
struct curve *curve_new(unsigned n, const double *x, const double *y, const double *half);
void curve_free(struct curve *c);

struct curve_value {
	double log_y; /* NaN: not known there */
	double half;  /* share; between two points the larger of both */
};
struct curve_value curve_at(const struct curve *c, double x);

#endif
