/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interpolation of values that were measured at arbitrary points, by kriging, which is also called
 * regression with a Gaussian process. Equations and sections are those of Rasmussen and Williams
 * 2006, Gaussian Processes for Machine Learning.
 *
 * The covariance of two points decreases with their distance (Matern function with nu = 3/2,
 * equation 4.17). Each direction has a length scale. The error of a measurement has two parts. One
 * is independent noise. The other is shared with the measurements shortly before and after, because
 * a machine may be faster or slower for a while (Ornstein-Uhlenbeck process, section 4.2.1). */
#ifndef IOSPAN_KRIGING_H
#define IOSPAN_KRIGING_H

#define KRIGING_MOST 8 /* largest number of directions, which are the coordinates of a point */

/* Limits of each number in struct kriging_scale. Without them, a direction that has no effect would
 * get an infinite length. */
#define KRIGING_LEAST 1e-6
#define KRIGING_LARGEST 1e6

struct kriging_scale {
	double length[KRIGING_MOST]; /* length scale of each direction */
	double deviation;	     /* standard deviation of the values */
	/* Standard deviation of the independent noise: noise[0] at points where the last coordinate
	 * is 0, noise[1] where it is 1. In between, the logarithm of the noise is interpolated. */
	double noise[2];
	double drift; /* standard deviation of the error that successive measurements share */
	/* number of measurements after which the covariance of the shared error has fallen to 1 /
	 * e */
	double memory;
};

struct kriging;

/* Prepares the interpolation of @n values @y, in the order in which they were measured. Value i
 * belongs to the point at @x[i * @directions], which has @directions coordinates. Copies both
 * arrays. Returns NULL if @n is 0, or if the covariance matrix is not positive definite with
 * @scale. */
struct kriging *kriging_new(unsigned directions, unsigned n, const double *x, const double *y,
			    const struct kriging_scale *scale);
void kriging_free(struct kriging *k);

/* Returns the expected value at point @x, without noise and shared error. */
double kriging_at(const struct kriging *k, const double *x);
/* Sets @to[i] to the value at the point of measurement i that is expected from all other
 * measurements (as equation 5.12). */
void kriging_without(const struct kriging *k, double *to);
/* Returns the standard deviation of the error of measurement @i, of noise and shared error
 * together. */
double kriging_chance(const struct kriging *k, unsigned i);

/* Fits @scale to the values, which are as for kriging_new(): maximises their likelihood (equation
 * 2.30), with a weak preference for lengths near 1. The search starts at @scale. */
void kriging_fit(unsigned directions, unsigned n, const double *x, const double *y,
		 struct kriging_scale *scale);

#endif
