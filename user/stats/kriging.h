/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimates a quantity between measured points by kriging, also called Gaussian process regression.
 * Equations and sections: Rasmussen and Williams 2006, Gaussian Processes for Machine Learning.
 *
 * The method assumes that close points have similar values (Matern covariance with nu = 3/2,
 * equation 4.17). Each coordinate has a length scale: the distance over which values become
 * unrelated. Each measurement has two errors. One error is independent noise. The other error
 * changes slowly from one measurement to the next (Ornstein-Uhlenbeck process, section 4.2.1),
 * because a machine can be faster or slower for a while. */
#ifndef IOSPAN_KRIGING_H
#define IOSPAN_KRIGING_H

#define KRIGING_MOST 8 /* largest number of coordinates of a point */

/* Smallest and largest value of each number in struct kriging_scale. Limits are needed because the
 * best fit of some numbers can be infinite. */
#define KRIGING_LEAST 1e-6
#define KRIGING_LARGEST 1e6

struct kriging_scale {
	/* length scale of each coordinate: distance over which the values become unrelated */
	double length[KRIGING_MOST];
	double deviation; /* standard deviation of the true values, without errors */
	/* Standard deviation of the independent noise. It depends on the last coordinate of a
	 * point: .noise[0] applies at 0, and .noise[1] applies at 1. In between, it is
	 * interpolated. */
	double noise[2];
	double drift; /* standard deviation of the slowly changing error */
	/* number of measurements after which the covariance of the slowly changing error has fallen
	 * to 1/e */
	double memory;
};

struct kriging;

/* Prepares the interpolation. @y has @n measured values, in the order of measurement. @x has the
 * points of these values, each with @directions coordinates. Copies @x and @y. Returns NULL if @n
 * is 0, or if @scale gives no positive definite covariance matrix. kriging_free() frees the
 * result. */
struct kriging *kriging_new(unsigned directions, unsigned n, const double *x, const double *y,
			    const struct kriging_scale *scale);
void kriging_free(struct kriging *k);

/* Returns the estimated true value at point @x, without the two kinds of measurement error. */
double kriging_at(const struct kriging *k, const double *x);
/* Predicts each measurement from all other measurements (leave-one-out, as in equation 5.12). Sets
 * @to[i] to the value that is predicted for measurement i. */
void kriging_without(const struct kriging *k, double *to);
/* Returns the standard deviation of the error of measurement @i: independent noise and slowly
 * changing error together. */
double kriging_chance(const struct kriging *k, unsigned i);

/* Sets @scale to the parameters that make the values most likely (equation 2.30), with a weak
 * preference for length scales near 1. The search starts from the parameters in @scale before the
 * call. The other arguments are as for kriging_new(). */
void kriging_fit(unsigned directions, unsigned n, const double *x, const double *y,
		 struct kriging_scale *scale);

#endif
