// SPDX-License-Identifier: GPL-2.0-or-later
#include "correlation.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "err.h"

#define DRAWS 2000		/* of the bootstrap */
#define OUTSIDE 0.025		/* of the interval, at each end */

/* ---- pairs ---- */

struct pairs {
	double *x, *y;
	unsigned n;
};

static struct pairs known_pairs(unsigned n, const double *x, const double *y)
{
	struct pairs p = { need(calloc(n + 1, sizeof(*x))), need(calloc(n + 1, sizeof(*y))), 0 };

	for (unsigned i = 0; i < n; i++) {
		if (!isfinite(x[i]) || !isfinite(y[i]))
			continue;
		p.x[p.n] = x[i];
		p.y[p.n++] = y[i];
	}
	return p;
}

static void pairs_free(struct pairs *p)
{
	free(p->x);
	free(p->y);
}

static bool varies(const double *v, unsigned n)
{
	return n >= 2 && gsl_stats_max(v, 1, n) > gsl_stats_min(v, 1, n);
}

/* Squares of what is huge or tiny have no room in a double, and sums of what is far from 0 lose
 * what differs: so each is brought around 0, and not beyond 1. */
static void standardise(double *v, unsigned n)
{
	long double mean = 0, most = 0;

	for (unsigned i = 0; i < n; i++)
		mean += v[i] / (long double)n;
	for (unsigned i = 0; i < n; i++)
		most = fmaxl(most, fabsl(v[i] - mean));
	for (unsigned i = 0; i < n; i++)
		v[i] = (v[i] - mean) / most;
}

double correlation_pearson(unsigned n, const double *x, const double *y)
{
	struct pairs p = known_pairs(n, x, y);
	double r = NAN;

	if (varies(p.x, p.n) && varies(p.y, p.n)) {
		standardise(p.x, p.n);
		standardise(p.y, p.n);
		r = gsl_stats_correlation(p.x, 1, p.y, 1, p.n);
	}
	pairs_free(&p);
	return r;
}

double correlation_spearman(unsigned n, const double *x, const double *y)
{
	struct pairs p = known_pairs(n, x, y);
	double *work = need(calloc(2 * p.n + 1, sizeof(*work))), r = NAN;

	if (varies(p.x, p.n) && varies(p.y, p.n))
		r = gsl_stats_spearman(p.x, 1, p.y, 1, p.n, work);
	free(work);
	pairs_free(&p);
	return r;
}

/* ---- points that were measured more than once ---- */

/* Each measurement once, or as often as it is drawn. */
static void mean_of(const struct repeated *point, gsl_rng *draw, double *x, double *y)
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

static void means_of(const struct repeated *points, unsigned n, gsl_rng *draw, double *x,
		     double *y)
{
	for (unsigned i = 0; i < n; i++)
		mean_of(&points[i], draw, &x[i], &y[i]);
}

/* Always by the same draws: the same measurements have the same interval. */
static void bootstrap(const struct repeated *points, unsigned n, double *x, double *y,
		      struct correlation *c)
{
	gsl_rng *draw = need(gsl_rng_alloc(gsl_rng_mt19937));
	double drawn[DRAWS];
	unsigned k = 0;

	for (unsigned i = 0; i < DRAWS; i++) {
		means_of(points, n, draw, x, y);
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

struct correlation correlate(const struct repeated *points, unsigned n)
{
	double *x = need(calloc(n + 1, sizeof(*x))), *y = need(calloc(n + 1, sizeof(*y)));
	struct correlation c = { .low = NAN, .high = NAN };

	means_of(points, n, NULL, x, y);
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
