/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The joint density of two quantities, and what one of them is where the other has some value:
 * kernel density estimation with normal kernels (Haerdle and others 2004, section 3.6).
 *
 * The kernel's covariance is that which has the least asymptotic mean integrated squared error
 * if the quantities are normal: n^(-1/3) times theirs. */
#ifndef IOSPAN_DENSITY_H
#define IOSPAN_DENSITY_H

#include <stdbool.h>
#include <stddef.h>

enum density_rule {
	DENSITY_FULL,	/* as above */
	DENSITY_SCOTT,	/* the same without what they have in common */
	DENSITY_NORMAL, /* the best without, where they have something in common */
};

struct density {
	size_t n;
	const double *x, *y; /* the caller's */
	double xx, xy, yy;   /* the kernel's covariance */
};

/* False: there is none, as there are less than two pairs, or one of both is constant. Then
 * nothing below may be asked. */
bool density_make(struct density *d, size_t n, const double *x, const double *y,
		  enum density_rule rule);

double density_at(const struct density *d, double x, double y);

/* y where x is @x: a mixture of normal distributions, one from each pair. */
struct conditional {
	size_t n;
	double *means, *weights; /* weights: their sum is 1 */
	double deviation;	 /* of each */
};
void conditional_make(struct conditional *c, const struct density *d, double x);
void conditional_release(struct conditional *c);
double conditional_mean(const struct conditional *c);
double conditional_deviation(const struct conditional *c);
double conditional_quantile(const struct conditional *c, double p);

#endif
