/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Coefficients of correlation, -1 to 1. Pairs with a value that is not finite are ignored. NaN if
 * fewer than two pairs remain, or if one of the quantities is constant. */
#ifndef IOSPAN_CORRELATION_H
#define IOSPAN_CORRELATION_H

/* Pearson's coefficient: He, Sun and Yin 2013 ("BPS", IPDPSW), equation 2. */
double correlation_pearson(unsigned n, const double *x, const double *y);
/* Spearman's coefficient: Pearson's of the ranks (Spearman 1904, American Journal of Psychology 15,
 * 72-101). Equal values have their mean rank. */
double correlation_spearman(unsigned n, const double *x, const double *y);

/* A point that was measured @n times, @x and @y together. */
struct repeated {
	const double *x, *y;
	unsigned n;
};

/* The correlation of the mean values of the points. @low and @high are the 95 % interval of
 * @pearson: the percentile interval of a bootstrap (Efron and Tibshirani 1993, An Introduction to
 * the Bootstrap, chapter 13). It resamples the measurements of each point, but not the points,
 * which the user has chosen. NaN if no point has two measurements. */
struct correlation {
	double pearson, low, high, spearman;
};
struct correlation correlation_of_points(const struct repeated *points, unsigned n);

/* Returns @c with the sign that makes a correlation of the sign @expected positive: the
 * normalisation of He, Sun and Yin 2013, table 1. */
struct correlation correlation_normalised(struct correlation c, int expected);

#endif
