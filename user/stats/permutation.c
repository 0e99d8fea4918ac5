// SPDX-License-Identifier: GPL-2.0-or-later
/* Permutation test: compares a measure of dependence with its values for random pairings. */
#include "user/stats/permutation.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"

/* Two measures are treated as equal if their relative difference is at most this number. Equal
 * measures may be rounded differently, because each pairing adds its numbers in another order. */
#define SAME 1e-12

double permutation_as_it_is(double strength)
{
	return strength;
}

struct permutations permutations_try(size_t count, unsigned n, uint64_t seed, permutation_fn *fn,
				     permutation_shown *shown, const void *arg)
{
	struct permutations all = { n, NAN, NAN };
	double seen = fn(arg, NULL), sum = 0;
	uint32_t *order;
	unsigned as_strong = 0;
	gsl_rng *rng;

	if (!n || isnan(seen))
		return all;
	rng = need(gsl_rng_alloc(gsl_rng_mt19937));
	gsl_rng_set(rng, seed);
	order = need(calloc(count + 1, sizeof(*order)));
	for (size_t i = 0; i < count; i++)
		order[i] = i;
	for (unsigned i = 0; i < n; i++) {
		double v;

		gsl_ran_shuffle(rng, order, count, sizeof(*order));
		v = fn(arg, order);
		sum += shown(v);
		as_strong += v >= seen - SAME * fabs(seen);
	}
	all.mean = sum / n;
	all.p = (as_strong + 1.0) / (n + 1.0);
	free(order);
	gsl_rng_free(rng);
	return all;
}
