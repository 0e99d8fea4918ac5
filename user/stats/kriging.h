/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimates a quantity between measured points by kriging, also called Gaussian process regression.
 * Equations and sections: Rasmussen and Williams 2006, Gaussian Processes for Machine Learning.
 *
 * Close points have similar values (Matern covariance with nu = 3/2, equation 4.17), by a length
 * scale per coordinate. A measurement's error is independent noise, and a slowly changing error
 * that successive measurements share, because a machine is faster or slower for a while
 * (Ornstein-Uhlenbeck process, section 4.2.1). */
#ifndef IOSPAN_KRIGING_H
#define IOSPAN_KRIGING_H

#define KRIGING_MOST 8 /* largest number of coordinates of a point */

/* Limits of the numbers in struct kriging_scale: some would be fitted as infinite. */
#define KRIGING_LEAST 1e-6
#define KRIGING_LARGEST 1e6

struct kriging_scale {
	/* length scale of each coordinate: distance over which the values become unrelated */
	double length[KRIGING_MOST];
	double deviation; /* standard deviation of the true values, without errors */
	/* deviation of the independent noise at last coordinate 0 and 1; interpolated in between */
	double noise[2];
	double drift; /* standard deviation of the slowly changing error */
	/* over this number of measurements, the slow error's covariance falls to 1 / e */
	double memory;
};

struct kriging;

/* Prepares the interpolation of @n values @y, in the order of measurement, at points @x of
 * @directions coordinates. Copies both. NULL: @n is 0, or no positive definite covariance. */
struct kriging *kriging_new(unsigned directions, unsigned n, const double *x, const double *y,
			    const struct kriging_scale *scale);
void kriging_free(struct kriging *k);

/* Returns the estimated true value at point @x, without the two kinds of measurement error. */
double kriging_at(const struct kriging *k, const double *x);
/* Sets @to[i] to the value that the others predict for measurement i (as equation 5.12). */
void kriging_without(const struct kriging *k, double *to);
/* Returns the standard deviation of the error of measurement @i, both kinds together. */
double kriging_chance(const struct kriging *k, unsigned i);

/* Finds the @scale, from the given one on, that makes the values most likely (equation 2.30), with
 * a weak preference for length scales near 1. Other arguments as for kriging_new(). */
void kriging_fit(unsigned directions, unsigned n, const double *x, const double *y,
		 struct kriging_scale *scale);

#endif
