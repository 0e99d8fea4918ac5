/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimates how often values x and y occur together (joint density), and how y is distributed at a
 * given x. Uses kernel density estimation with normal kernels (Haerdle, Mueller, Sperlich and
 * Werwatz 2004, Nonparametric and Semiparametric Models, section 3.6). */
#ifndef IOSPAN_DENSITY_H
#define IOSPAN_DENSITY_H

#include <stdbool.h>
#include <stddef.h>

/* Rules for the covariance matrix of the kernel. If x and y are normally distributed, DENSITY_FULL
 * gives the best matrix, and DENSITY_NORMAL gives the best diagonal matrix. DENSITY_SCOTT gives the
 * best diagonal matrix for x and y without correlation (Scott 1992, Multivariate Density
 * Estimation, chapter 6). The best matrix has the smallest asymptotic mean integrated squared
 * error. */
enum density_rule {
	DENSITY_FULL,  /* n^(-1/3) times the covariance matrix of the n pairs */
	DENSITY_SCOTT, /* diagonal matrix: n^(-1/3) times the variances of x and y */
	/* the matrix of DENSITY_SCOTT, multiplied by (1 - r^2)^(5/6) (1 + r^2 / 2)^(-1/3); r is the
	 * correlation of x and y */
	DENSITY_NORMAL,
};

struct density {
	size_t n;
	const double *x, *y; /* x[i] and y[i] are pair i; the caller owns the arrays */
	double xx, xy, yy;   /* covariance matrix of the kernel: (xx, xy; xy, yy) */
};

/* Estimates the density of @n pairs (@x[i], @y[i]) and stores it in @d, which keeps pointers to
 * @x and @y. Returns false, and @d must not be used, in these cases:
 * - there are fewer than two pairs;
 * - all x or all y are equal;
 * - with DENSITY_FULL, all pairs are on a line. */
bool density_make(struct density *d, size_t n, const double *x, const double *y,
		  enum density_rule rule);

double density_at(const struct density *d, double x, double y);

/* The distribution of y at a given x is a mixture of normal distributions, one per pair (x_i, y_i).
 * The covariance matrix of the kernel is (xx, xy; xy, yy). Normal distribution i has the mean y_i +
 * (x - x_i) xy / xx and the variance yy - xy^2 / xx. Its weight is proportional to the normal
 * density of x - x_i with variance xx. */
struct conditional {
	size_t n;
	/* .means[i] and .weights[i]: mean and weight of the normal distribution for pair i; all
	 * weights add up to 1 */
	double *means, *weights;
	double deviation; /* standard deviation, which all the normal distributions share */
};
struct conditional conditional_new(const struct density *d, double x);
void conditional_release(struct conditional *c);
double conditional_quantile(const struct conditional *c, double p);

#endif
