/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimates a quantity between points where it was measured, by kriging, also called Gaussian
 * process regression. Equations and sections are those of Rasmussen and Williams 2006, Gaussian
 * Processes for Machine Learning.
 *
 * The closer two points are, the more similar their values are expected to be (Matern covariance
 * function with nu = 3/2, equation 4.17). Each coordinate has its own length scale. The error of a
 * measurement has two parts. One is independent noise. The other changes slowly, so that
 * measurements soon after each other share it, because a machine may be faster or slower for a
 * while (Ornstein-Uhlenbeck process, section 4.2.1). */
#ifndef IOSPAN_KRIGING_H
#define IOSPAN_KRIGING_H

#define KRIGING_MOST 8 /* largest number of coordinates of a point */

/* Limits of each number in struct kriging_scale. Without them, the length scale of a coordinate
 * that has no effect would be fitted as infinite. */
#define KRIGING_LEAST 1e-6
#define KRIGING_LARGEST 1e6

struct kriging_scale {
	/* length scale of each coordinate: distance over which the values become unrelated */
	double length[KRIGING_MOST];
	double deviation; /* standard deviation of the true values, without errors */
	/* Standard deviation of the independent noise. noise[0] applies to points with the last
	 * coordinate 0, noise[1] to those with 1. In between, the logarithm of the noise is
	 * interpolated. */
	double noise[2];
	double drift; /* standard deviation of the slowly changing error */
	/* Over this number of measurements, the covariance of the slowly changing error falls to 1
	 * / e. */
	double memory;
};

struct kriging;

/* Prepares the interpolation. @y are @n measured values, in the order in which they were measured.
 * @x has the points: @directions coordinates for each value. Copies both arrays. Returns NULL if @n
 * is 0, or if @scale gives a covariance matrix that is not positive definite. */
struct kriging *kriging_new(unsigned directions, unsigned n, const double *x, const double *y,
			    const struct kriging_scale *scale);
void kriging_free(struct kriging *k);

/* Returns the estimated true value at point @x, without the two kinds of measurement error. */
double kriging_at(const struct kriging *k, const double *x);
/* Leave-one-out prediction: for each measurement i, sets @to[i] to the value that the other
 * measurements predict for its point (as equation 5.12). */
void kriging_without(const struct kriging *k, double *to);
/* Returns the standard deviation of the error of measurement @i: independent noise and slowly
 * changing error together. */
double kriging_chance(const struct kriging *k, unsigned i);

/* Finds the @scale for which the measured values are most likely (equation 2.30), with a weak
 * preference for length scales near 1. The search starts at the given @scale. The other arguments
 * are those of kriging_new(). */
void kriging_fit(unsigned directions, unsigned n, const double *x, const double *y,
		 struct kriging_scale *scale);

#endif
