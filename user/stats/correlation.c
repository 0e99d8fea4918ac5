// SPDX-License-Identifier: GPL-2.0-or-later
/* Coefficients of correlation, and their confidence interval. A point is a benchmark case that was
 * measured several times. The bootstrap computes the coefficient again for many random samples of
 * the measurements. */
#include "user/stats/correlation.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/stats/pairs.h"

#define DRAWS 2000 /* number of bootstrap samples */
/* fraction of the bootstrap results below the 95 % interval; the same fraction is above it */
#define OUTSIDE 0.025

/* Returns the result of @coefficient for those pairs (x[i], y[i]) in which both numbers are finite.
 * Passes copies of the arrays, because @coefficient changes its arrays. */
static double of_finite(unsigned n, const double *x, const double *y,
			double (*coefficient)(size_t n, double *x, double *y))
{
	double *finite = need(calloc(2 * n + 1, sizeof(*finite))), r;

	memcpy(finite, x, n * sizeof(*x));
	memcpy(finite + n, y, n * sizeof(*y));
	r = coefficient(pairs_finite(n, finite, finite + n), finite, finite + n);
	free(finite);
	return r;
}

static double pearson_of_finite(size_t n, double *x, double *y)
{
	double r;

	if (!pairs_scale(n, x, x) || !pairs_scale(n, y, y))
		return NAN;
	r = gsl_stats_correlation(x, 1, y, 1, n);
	/* rounding errors may put the result slightly above 1 or below -1 */
	return isnan(r) ? r : fmin(fmax(r, -1), 1);
}

static double spearman_of_finite(size_t n, double *x, double *y)
{
	double *ranks = need(calloc(2 * n + 1, sizeof(*ranks))), r;

	pairs_ranks(n, x, ranks);
	pairs_ranks(n, y, ranks + n);
	r = pearson_of_finite(n, ranks, ranks + n);
	free(ranks);
	return r;
}

double correlation_pearson(unsigned n, const double *x, const double *y)
{
	return of_finite(n, x, y, pearson_of_finite);
}

double correlation_spearman(unsigned n, const double *x, const double *y)
{
	return of_finite(n, x, y, spearman_of_finite);
}

/* Sets *@x and *@y to the means of the measurements of @point. If @draw is not NULL, averages a
 * bootstrap sample instead: point->n measurements drawn with replacement. */
static void point_mean(const struct repeated *point, gsl_rng *draw, double *x, double *y)
{
	*x = *y = 0;
	for (unsigned i = 0; i < point->n; i++) {
		unsigned which = draw ? gsl_rng_uniform_int(draw, point->n) : i;

		*x += point->x[which] / point->n;
		*y += point->y[which] / point->n;
	}
	if (!point->n)
		*x = *y = NAN;
}

static void point_means(const struct repeated *points, unsigned n, gsl_rng *draw, double *x,
			double *y)
{
	for (unsigned i = 0; i < n; i++)
		point_mean(&points[i], draw, &x[i], &y[i]);
}

/* Computes the confidence interval from c->low to c->high by a bootstrap. The random seed is
 * constant, so the same measurements always give the same interval. @x and @y are work space:
 * arrays of @n numbers each. */
static void bootstrap(const struct repeated *points, unsigned n, double *x, double *y,
		      struct correlation *c)
{
	gsl_rng *draw = need(gsl_rng_alloc(gsl_rng_mt19937));
	double drawn[DRAWS];
	unsigned k = 0;

	for (unsigned i = 0; i < DRAWS; i++) {
		point_means(points, n, draw, x, y);
		drawn[k] = correlation_pearson(n, x, y);
		k += !isnan(drawn[k]);
	}
	gsl_rng_free(draw);
	if (!k)
		return;
	gsl_sort(drawn, 1, k);
	c->low = gsl_stats_quantile_from_sorted_data(drawn, 1, k, OUTSIDE);
	c->high = gsl_stats_quantile_from_sorted_data(drawn, 1, k, 1 - OUTSIDE);
}

static bool is_repeated(const struct repeated *points, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (points[i].n > 1)
			return true;
	return false;
}

struct correlation correlation_of_points(const struct repeated *points, unsigned n)
{
	double *x = need(calloc(n + 1, sizeof(*x))), *y = need(calloc(n + 1, sizeof(*y)));
	struct correlation c = { .low = NAN, .high = NAN };

	point_means(points, n, NULL, x, y);
	c.pearson = correlation_pearson(n, x, y);
	c.spearman = correlation_spearman(n, x, y);
	if (!isnan(c.pearson) && is_repeated(points, n))
		bootstrap(points, n, x, y, &c);
	free(x);
	free(y);
	return c;
}

struct correlation correlation_normalised(struct correlation c, int expected)
{
	if (expected > 0)
		return c;
	return (struct correlation){ -c.pearson, -c.high, -c.low, -c.spearman };
}
