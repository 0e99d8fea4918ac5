/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interpolation of values that were measured at arbitrary points: kriging, also called regression
 * with a Gaussian process. Equations and sections are those of Rasmussen and Williams 2006,
 * Gaussian Processes for Machine Learning.
 *
 * The covariance of two points decreases with their distance (Matern function with nu = 3/2,
 * equation 4.17), with a length scale for each direction. A measurement also has independent noise,
 * and an error that it shares with measurements shortly before and after it, because a machine may
 * be faster or slower for a while (Ornstein-Uhlenbeck process, section 4.2.1). */
#ifndef IOSPAN_KRIGING_H
#define IOSPAN_KRIGING_H

#define KRIGING_MOST 8 /* directions */

/* Limits of each number of a scale. A direction without effect would have an infinite length. */
#define KRIGING_LEAST 1e-6
#define KRIGING_LARGEST 1e6

struct kriging_scale {
	double length[KRIGING_MOST]; /* of each direction */
	double deviation;	     /* standard deviation of the values */
	/* Standard deviation of the independent noise where the last direction is 0 and where it
	 * is 1. In between, its logarithm is interpolated. */
	double noise[2];
	double drift;  /* standard deviation of the shared error */
	double memory; /* in measurements: the covariance of shared errors falls to 1 / e */
};

struct kriging;

/* Prepares @n values @y, in the order in which they were measured, at the points @x: @directions
 * numbers for each. Copies both. Returns NULL if @n is 0 or the covariance matrix is not positive
 * definite at this scale. */
struct kriging *kriging_new(unsigned directions, unsigned n, const double *x, const double *y,
			    const struct kriging_scale *scale);
void kriging_free(struct kriging *k);

/* Returns the value expected at point @x, without noise and shared error. */
double kriging_at(const struct kriging *k, const double *x);
/* Sets @to to the value expected at each point from all other measurements (as equation 5.12). */
void kriging_without(const struct kriging *k, double *to);
/* Returns the standard deviation of the error of measurement @i: noise and shared error. */
double kriging_chance(const struct kriging *k, unsigned i);

/* Fits @scale: maximises the likelihood of the values (equation 2.30), with a weak preference for
 * lengths near 1. The search starts at @scale. */
void kriging_fit(unsigned directions, unsigned n, const double *x, const double *y,
		 struct kriging_scale *scale);

#endif
