/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Coefficients of correlation, from -1 to 1. Pairs in which a number is infinite or NaN are
 * ignored. The result is NaN if fewer than two pairs remain, or if all x or all y are equal. */
#ifndef IOSPAN_CORRELATION_H
#define IOSPAN_CORRELATION_H

/* Returns Pearson's coefficient: He, Sun and Yin 2013 ("BPS", IPDPSW), equation 2. */
double correlation_pearson(unsigned n, const double *x, const double *y);
/* Returns Spearman's coefficient: Pearson's of the ranks (Spearman 1904, American Journal of
 * Psychology 15, 72-101). Equal values get their mean rank. */
double correlation_spearman(unsigned n, const double *x, const double *y);

/* A benchmark point, measured @n times: measurement i gave @x[i] and @y[i]. */
struct repeated {
	const double *x, *y;
	unsigned n;
};

/* The correlation between the mean x and the mean y of several points. @low and @high are the 95 %
 * confidence interval of @pearson, by the percentile bootstrap (Efron and Tibshirani 1993, An
 * Introduction to the Bootstrap, chapter 13). The bootstrap resamples the measurements within each
 * point. It does not resample the points, because the user chose them, so they are not random. @low
 * and @high are NaN if no point was measured twice. */
struct correlation {
	double pearson, low, high, spearman;
};
struct correlation correlation_of_points(const struct repeated *points, unsigned n);

/* Returns @c, in which a correlation with the expected sign is positive (He, Sun and Yin 2013,
 * table 1): if @expected is negative, changes the sign. */
struct correlation correlation_normalised(struct correlation c, int expected);

#endif
