/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Coefficients of correlation, from -1 to 1. Pairs in which a number is infinite or NaN are
 * ignored. The result is NaN if fewer than two pairs remain, or if all x or all y are equal. */
#ifndef IOSPAN_CORRELATION_H
#define IOSPAN_CORRELATION_H

/* Returns Pearson's coefficient of the pairs (@x[i], @y[i]): He, Sun and Yin 2013 ("BPS", IPDPSW),
 * equation 2. */
double correlation_pearson(unsigned n, const double *x, const double *y);
/* Returns Spearman's coefficient (Spearman 1904, American Journal of Psychology 15, 72-101):
 * Pearson's coefficient of the ranks of x and y. Equal values get their mean rank. */
double correlation_spearman(unsigned n, const double *x, const double *y);

/* A benchmark point, measured @n times: measurement i gave @x[i] and @y[i]. */
struct repeated {
	const double *x, *y;
	unsigned n;
};

/* The correlation between the mean x and the mean y of several points. .low and .high are the
 * limits of the 95 % confidence interval of .pearson. They come from the percentile bootstrap
 * (Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13). The bootstrap
 * resamples the measurements within each point. It does not resample the points, because the user
 * chose them, so they are not random. .low and .high are NaN if no point was measured twice. */
struct correlation {
	double pearson, low, high, spearman;
};
struct correlation correlation_of_points(const struct repeated *points, unsigned n);

/* If a negative correlation is expected (@expected < 0), negates the coefficients and the
 * confidence interval. Otherwise returns @c unchanged. So a coefficient above 0 means a correlation
 * as expected (He, Sun and Yin 2013, table 1). */
struct correlation correlation_normalised(struct correlation c, int expected);

#endif
