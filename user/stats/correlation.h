/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How closely two quantities follow each other. Pairs in which one is no number do not count;
 * NaN: less than two are left, or one of the quantities does not vary. */
#ifndef IOSPAN_CORRELATION_H
#define IOSPAN_CORRELATION_H

/* Pearson's coefficient: He, Sun, Yin 2013, equation 2. */
double correlation_pearson(unsigned n, const double *x, const double *y);
/* Spearman's: that of the ranks, equal values having their mean rank. */
double correlation_spearman(unsigned n, const double *x, const double *y);

/* A point that was measured @n times, @x and @y together. */
struct repeated {
	const double *x, *y;
	unsigned n;
};

/* Of the points' means, and how far chance may have moved it: the 95 % interval of Pearson's
 * coefficient by the bootstrap (Efron and Tibshirani 1993, chapter 13, percentiles), which
 * draws anew among the measurements of each point; NaN when no point has two. The points
 * themselves are no draw: somebody has chosen them. */
struct correlation {
	double pearson, low, high, spearman;
};
struct correlation correlate(const struct repeated *points, unsigned n);

/* The same with the sign such that a coefficient above 0 is what was expected, @expected being
 * its sign: the paper's normalisation. */
struct correlation correlation_normalised(struct correlation c, int expected);

#endif
