/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Coefficients of correlation, from -1 to 1. Pairs with a number that is not finite are ignored.
 * The coefficient is NaN if fewer than two pairs remain, or if one of the quantities is
 * constant. */
#ifndef IOSPAN_CORRELATION_H
#define IOSPAN_CORRELATION_H

/* Returns Pearson's coefficient: He, Sun and Yin 2013 ("BPS", IPDPSW), equation 2. */
double correlation_pearson(unsigned n, const double *x, const double *y);
/* Returns Spearman's coefficient, which is Pearson's coefficient of the ranks (Spearman 1904,
 * American Journal of Psychology 15, 72-101). Equal values get their mean rank. */
double correlation_spearman(unsigned n, const double *x, const double *y);

/* A point that was measured @n times. @x[i] and @y[i] come from the same measurement. */
struct repeated {
	const double *x, *y;
	unsigned n;
};

/* The correlation of the mean values of several points. @low and @high are the limits of the 95 %
 * confidence interval of @pearson, from the percentiles of a bootstrap (Efron and Tibshirani 1993,
 * An Introduction to the Bootstrap, chapter 13). The bootstrap resamples the measurements of each
 * point. It does not resample the points, because the user has chosen them. @low and @high are NaN
 * if no point has two measurements. */
struct correlation {
	double pearson, low, high, spearman;
};
struct correlation correlation_of_points(const struct repeated *points, unsigned n);

/* Returns @c if @expected is positive. If it is negative, returns @c with all signs changed, so
 * that a correlation with the expected sign is positive. This is the normalisation of He, Sun and
 * Yin 2013, table 1. */
struct correlation correlation_normalised(struct correlation c, int expected);

#endif
