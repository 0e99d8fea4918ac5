/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The joint density of two quantities, and the conditional distribution of y at a given x, by
 * kernel density estimation with normal kernels (Haerdle, Mueller, Sperlich and Werwatz 2004,
 * Nonparametric and Semiparametric Models, section 3.6). */
#ifndef IOSPAN_DENSITY_H
#define IOSPAN_DENSITY_H

#include <stdbool.h>
#include <stddef.h>

/* The covariance of the kernel. S is the covariance of the pairs, r their correlation, and s their
 * standard deviation in one direction. The rules minimise the asymptotic mean integrated squared
 * error if the quantities are normal: FULL over all matrices, NORMAL over diagonal matrices, SCOTT
 * over diagonal matrices for r = 0 (Scott 1992, Multivariate Density Estimation, chapter 6). */
enum density_rule {
	DENSITY_FULL,	/* n^(-1/3) S */
	DENSITY_SCOTT,	/* n^(-1/3) s^2 in each direction */
	DENSITY_NORMAL, /* n^(-1/3) s^2 (1 - r^2)^(5/6) (1 + r^2 / 2)^(-1/3) in each direction */
};

struct density {
	size_t n;
	const double *x, *y; /* owned by the caller */
	double xx, xy, yy;   /* covariance of the kernel */
};

/* Returns false if there is no density: fewer than two pairs, a constant quantity, or (FULL) all
 * pairs on a line. @d must not be used then. */
bool density_make(struct density *d, size_t n, const double *x, const double *y,
		  enum density_rule rule);

double density_at(const struct density *d, double x, double y);

/* The distribution of y at a given x: a mixture of normal distributions, one for each pair i, with
 * mean y_i + xy / xx (x - x_i), variance yy - xy^2 / xx and a weight proportional to the normal
 * density of x - x_i with variance xx. */
struct conditional {
	size_t n;
	double *means, *weights; /* the sum of the weights is 1 */
	double deviation;	 /* of each normal distribution */
};
void conditional_make(struct conditional *c, const struct density *d, double x);
void conditional_release(struct conditional *c);
double conditional_quantile(const struct conditional *c, double p);

#endif
