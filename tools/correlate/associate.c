// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes four measures of the dependence of y on x, and their p-values by random permutations of
 * the y values. */
#include "tools/correlate/associate.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "user/stats/correlation.h"
#include "user/stats/distance.h"
#include "user/base/err.h"
#include "user/stats/information.h"
#include "user/stats/pairs.h"
#include "user/stats/permutation.h"

const char *const association_names[ASSOCIATIONS] = {
	"pearson",
	"spearman",
	"distance_correlation",
	"mutual_information",
};
const char *const association_titles[ASSOCIATIONS] = {
	"Pearson",
	"Spearman",
	"distance",
	"information",
};

/* Intermediate results of the measures, for x and y in their original order. They are valid for all
 * permutations of the y values. */
struct prepared {
	size_t n;
	/* index 0: scaled values, for Pearson's correlation; index 1: scaled ranks, for
	 * Spearman's */
	double *x[2], *y[2];
	/* norm[i]: product of the Euclidean norms of x[i] and y[i]; 0: all x or all y are equal */
	double norm[2];
	struct distances *dx, *dy;
	/* data for an estimate of the mutual information from nearest neighbours; NULL: it is
	 * estimated from bins */
	struct neighbours *neighbours;
	uint32_t bins, *label_x, *label_y;
};

static double square_sum(size_t n, const double *v)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i] * v[i];
	return sum;
}

static void prepare_product(struct prepared *p, int which, const double *x, const double *y)
{
	p->x[which] = need(calloc(p->n + 1, sizeof(double)));
	p->y[which] = need(calloc(p->n + 1, sizeof(double)));
	if (p->n && pairs_scale(p->n, x, p->x[which]) && pairs_scale(p->n, y, p->y[which]))
		p->norm[which] =
			sqrt(square_sum(p->n, p->x[which])) * sqrt(square_sum(p->n, p->y[which]));
}

static void prepare_labels(struct prepared *p, const double *x, const double *y)
{
	p->label_x = need(calloc(p->n + 1, sizeof(*p->label_x)));
	p->label_y = need(calloc(p->n + 1, sizeof(*p->label_y)));
	information_bins(p->n, x, p->bins, p->label_x);
	information_bins(p->n, y, p->bins, p->label_y);
}

static void prepare_pairs(struct prepared *p, size_t n, const double *x, const double *y,
			  const struct associate_options *o)
{
	double *ranks = need(calloc(2 * n + 1, sizeof(*ranks)));

	*p = (struct prepared){ .n = n,
				.bins = o->bins,
				.dx = distances_new(n, x),
				.dy = distances_new(n, y) };
	pairs_ranks(n, x, ranks);
	pairs_ranks(n, y, ranks + n);
	prepare_product(p, 0, x, y);
	prepare_product(p, 1, ranks, ranks + n);
	free(ranks);
	if (p->bins)
		prepare_labels(p, x, y);
	else
		p->neighbours = neighbours_new(n, x, y, o->seed);
}

static void prepared_release(struct prepared *p)
{
	for (int i = 0; i < 2; i++) {
		free(p->x[i]);
		free(p->y[i]);
	}
	distances_free(p->dx);
	distances_free(p->dy);
	neighbours_free(p->neighbours);
	free(p->label_x);
	free(p->label_y);
}

static double product_strength(const struct prepared *p, int which, const uint32_t *order)
{
	const double *x = p->x[which], *y = p->y[which];
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += x[i] * y[order ? order[i] : i];
	return p->norm[which] ? fabs(sum) / p->norm[which] : NAN;
}

static double pearson_strength(const void *p, const uint32_t *order)
{
	return product_strength(p, 0, order);
}

static double spearman_strength(const void *p, const uint32_t *order)
{
	return product_strength(p, 1, order);
}

static double distance_strength(const void *arg, const uint32_t *order)
{
	const struct prepared *p = arg;

	return distance_correlation(p->dx, p->dy, order);
}

/* Returns the mutual information of x and y. The y values are taken in the order @order; NULL:
 * original order. An estimate below 0 is returned unchanged, because the permutation test compares
 * estimates. */
static double information_strength(const void *arg, const uint32_t *order)
{
	const struct prepared *p = arg;
	uint32_t *b = p->label_y;
	struct shared_entropy e;

	if (p->neighbours)
		return neighbours_information(p->neighbours, INFORMATION_NEAREST, order);
	if (order) {
		b = need(calloc(p->n + 1, sizeof(*b)));
		for (size_t i = 0; i < p->n; i++)
			b[i] = p->label_y[order[i]];
	}
	e = information_of_labels(p->n, p->label_x, b, p->bins);
	if (order)
		free(b);
	/* If all x or all y are in one bin, an entropy is 0, and the measure is not defined. */
	return e.a && e.b ? information_normalised(e) : NAN;
}

static permutation_fn *const strengths[ASSOCIATIONS] = { pearson_strength, spearman_strength,
							 distance_strength, information_strength };

size_t associate_sample(size_t n, const double *x, const double *y, size_t most, uint64_t seed,
			double *to_x, double *to_y)
{
	size_t m = n < most ? n : most;
	gsl_rng *rng = need(gsl_rng_alloc(gsl_rng_mt19937));
	uint32_t *all = need(calloc(n + m + 1, sizeof(*all))), *chosen = all + n;

	gsl_rng_set(rng, seed);
	for (size_t i = 0; i < n; i++)
		all[i] = i;
	gsl_ran_choose(rng, chosen, m, all, n, sizeof(*all));
	for (size_t i = 0; i < m; i++) {
		to_x[i] = x[chosen[i]];
		to_y[i] = y[chosen[i]];
	}
	free(all);
	gsl_rng_free(rng);
	return m;
}

static permutation_shown *shown_as(const struct associate_options *o, enum association which)
{
	return which == ASSOC_INFORMATION && !o->bins ? information_linfoot : permutation_as_it_is;
}

static void permute(struct associated *a, size_t n, const double *x, const double *y,
		    const struct associate_options *o)
{
	double *some = need(calloc(2 * n + 1, sizeof(*some)));
	size_t m = associate_sample(n, x, y, o->sample, o->seed, some, some + n);
	struct prepared p;

	prepare_pairs(&p, m, some, some + n, o);
	for (int i = 0; i < ASSOCIATIONS; i++) {
		struct permutations t = permutations_try(m, o->permutations, o->seed, strengths[i],
							 shown_as(o, i), &p);

		a->p[i] = t.p;
		a->by_chance[i] = t.mean;
	}
	prepared_release(&p);
	free(some);
}

void associate(struct associated *a, size_t n, const double *x, const double *y,
	       const struct associate_options *o)
{
	struct prepared p;

	prepare_pairs(&p, n, x, y, o);
	*a = (struct associated){ .n = n };
	a->value[ASSOC_PEARSON] = correlation_pearson(n, x, y);
	a->value[ASSOC_SPEARMAN] = correlation_spearman(n, x, y);
	for (int i = ASSOC_DISTANCE; i < ASSOCIATIONS; i++)
		a->value[i] = shown_as(o, i)(strengths[i](&p, NULL));
	prepared_release(&p);
	for (int i = 0; i < ASSOCIATIONS; i++)
		a->p[i] = a->by_chance[i] = NAN;
	if (o->permutations)
		permute(a, n, x, y, o);
}
