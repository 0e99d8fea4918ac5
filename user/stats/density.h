/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The joint density of two quantities x and y, and the conditional distribution of y for a given x.
 * Both come from kernel density estimation with normal kernels (Haerdle, Mueller, Sperlich and
 * Werwatz 2004, Nonparametric and Semiparametric Models, section 3.6). */
#ifndef IOSPAN_DENSITY_H
#define IOSPAN_DENSITY_H

#include <stdbool.h>
#include <stddef.h>

/* Rules for the covariance of the kernel. n is the number of pairs, S their covariance matrix, r
 * their correlation, and s their standard deviation in one direction. The rules minimise the
 * asymptotic mean integrated squared error for normally distributed quantities. FULL does so over
 * all matrices and NORMAL over diagonal ones. SCOTT does so over diagonal matrices for r = 0 (Scott
 * 1992, Multivariate Density Estimation, chapter 6). */
enum density_rule {
	DENSITY_FULL,	/* kernel covariance: n^(-1/3) S */
	DENSITY_SCOTT,	/* n^(-1/3) s^2 in each direction */
	DENSITY_NORMAL, /* n^(-1/3) s^2 (1 - r^2)^(5/6) (1 + r^2 / 2)^(-1/3) in each direction */
};

struct density {
	size_t n;
	const double *x, *y; /* the pairs; the caller owns both arrays */
	double xx, xy, yy;   /* covariance matrix of the kernel */
};

/* Sets @d to the density of @n pairs. Returns false if there is no density: there are fewer than
 * two pairs, one quantity is constant, or (DENSITY_FULL) all pairs are on a line. Then the caller
 * must not use @d. */
bool density_make(struct density *d, size_t n, const double *x, const double *y,
		  enum density_rule rule);

double density_at(const struct density *d, double x, double y);

/* The distribution of y for a given x. It is a mixture of normal distributions, one for each pair
 * i. The distribution of pair i has the mean y_i + xy / xx (x - x_i), the variance yy - xy^2 / xx,
 * and a weight proportional to the normal density of x - x_i with variance xx. */
struct conditional {
	size_t n;
	double *means, *weights; /* mean and weight for each pair; the sum of the weights is 1 */
	double deviation;	 /* standard deviation of each of the normal distributions */
};
void conditional_make(struct conditional *c, const struct density *d, double x);
void conditional_release(struct conditional *c);
double conditional_quantile(const struct conditional *c, double p);

#endif
