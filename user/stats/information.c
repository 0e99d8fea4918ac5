// SPDX-License-Identifier: GPL-2.0-or-later
/* Estimates mutual information: for numbers, from the distances to nearest neighbours; for labels,
 * from the number of times that each label occurs. */
#include "user/stats/information.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "user/stats/pairs.h"
#include "user/stats/plane.h"

/* standard deviation of the noise that makes equal numbers different; the numbers themselves have
 * the deviation 1 */
#define NOISE 1e-10

struct neighbours {
	size_t n;
	bool constant; /* true if all x or all y are equal */
	double *at[2], *sorted[2];
	double *digamma; /* digamma[i]: digamma function of the integer i, for i from 1 to n + 1 */
};

/* In arrays of two elements, element 0 is for x and element 1 for y. */

static bool has_equals(size_t n, const double *sorted)
{
	for (size_t i = 1; i < n; i++)
		if (sorted[i] == sorted[i - 1])
			return true;
	return false;
}

static void sort_side(struct neighbours *s, int side)
{
	for (size_t i = 0; i < s->n; i++)
		s->sorted[side][i] = s->at[side][i];
	gsl_sort(s->sorted[side], 1, s->n);
}

static void make_side(struct neighbours *s, int side, const double *v, gsl_rng *rng)
{
	double squares = 0;

	s->at[side] = need(calloc(s->n + 1, sizeof(double)));
	s->sorted[side] = need(calloc(s->n + 1, sizeof(double)));
	if (!pairs_scale(s->n, v, s->at[side])) {
		s->constant = true;
		return;
	}
	for (size_t i = 0; i < s->n; i++)
		squares += s->at[side][i] * s->at[side][i] / s->n;
	for (size_t i = 0; i < s->n; i++)
		s->at[side][i] /= sqrt(squares);
	sort_side(s, side);
	if (!has_equals(s->n, s->sorted[side]))
		return;
	for (size_t i = 0; i < s->n; i++)
		s->at[side][i] += gsl_ran_gaussian(rng, NOISE);
	sort_side(s, side);
}

struct neighbours *neighbours_new(size_t n, const double *x, const double *y, uint64_t seed)
{
	struct neighbours *s = need(calloc(1, sizeof(*s)));
	gsl_rng *rng = need(gsl_rng_alloc(gsl_rng_mt19937));

	gsl_rng_set(rng, seed);
	*s = (struct neighbours){ .n = n, .digamma = need(calloc(n + 2, sizeof(double))) };
	make_side(s, 0, x, rng);
	make_side(s, 1, y, rng);
	gsl_rng_free(rng);
	s->digamma[1] = -M_EULER;
	for (size_t i = 1; i <= n; i++)
		s->digamma[i + 1] = s->digamma[i] + 1.0 / i;
	return s;
}

void neighbours_free(struct neighbours *s)
{
	if (!s)
		return;
	for (int side = 0; side < 2; side++) {
		free(s->at[side]);
		free(s->sorted[side]);
	}
	free(s->digamma);
	free(s);
}

/* Searches the ascending array @sorted. If @above is true, returns the index of the first number at
 * or above @v + @within. Otherwise returns the index of the first number above @v - @within.
 * Compares differences of numbers with @within, because the sum @v + @within would be rounded. */
static size_t first_beyond(const double *sorted, size_t n, double v, double within, bool above)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (above ? sorted[mid] - v < within : v - sorted[mid] >= within)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Returns the number of elements of @sorted that differ from @v by less than @within. @v itself is
 * one of the elements, and is not counted. */
static size_t others_within(const double *sorted, size_t n, double v, double within)
{
	if (within <= 0)
		return 0;
	return first_beyond(sorted, n, v, within, true) -
		first_beyond(sorted, n, v, within, false) - 1;
}

double neighbours_information(const struct neighbours *s, unsigned k, const uint32_t *order)
{
	struct plane *plane;
	double sum = 0;

	if (s->constant || s->n <= k)
		return NAN;
	plane = plane_new(s->n, s->at[0], s->at[1], order);
	for (size_t i = 0; i < s->n; i++) {
		double at[2] = { s->at[0][i], s->at[1][order ? order[i] : i] };
		/* Searches for k + 1 points, because the tree also has the point of the pair
		 * itself, at distance 0. */
		double within = plane_nearest(plane, at, k + 1);

		for (int side = 0; side < 2; side++)
			sum += s->digamma[others_within(s->sorted[side], s->n, at[side], within) +
					  1];
	}
	plane_free(plane);
	return s->digamma[k] + s->digamma[s->n] - sum / s->n;
}

double information_linfoot(double nats)
{
	return isnan(nats) ? NAN : sqrt(-expm1(-2 * fmax(nats, 0)));
}

static double entropy_of(const double *counts, size_t n, double of)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		if (counts[i])
			sum -= counts[i] / of * log(counts[i] / of);
	return sum;
}

struct shared_entropy information_of_labels(size_t n, const uint32_t *a, const uint32_t *b,
					    uint32_t labels)
{
	size_t all = (size_t)labels * labels;
	double *both = need(calloc(all + 2 * labels + 1, sizeof(*both)));
	double *of_a = both + all, *of_b = of_a + labels;
	struct shared_entropy e = { NAN, NAN, NAN };

	for (size_t i = 0; i < n; i++) {
		both[(size_t)a[i] * labels + b[i]]++;
		of_a[a[i]]++;
		of_b[b[i]]++;
	}
	if (n) {
		e.a = entropy_of(of_a, labels, n);
		e.b = entropy_of(of_b, labels, n);
		e.information = fmax(e.a + e.b - entropy_of(both, all, n), 0);
	}
	free(both);
	return e;
}

double information_normalised(struct shared_entropy e)
{
	return e.a + e.b == 0 ? 1 : 2 * e.information / (e.a + e.b);
}

void information_bins(size_t n, const double *v, uint32_t bins, uint32_t *labels)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		least = fmin(least, v[i]);
		most = fmax(most, v[i]);
	}
	for (size_t i = 0; i < n; i++) {
		double at = most > least ? floor((v[i] - least) / ((most - least) / bins)) : 0;

		labels[i] = at < bins - 1 ? at : bins - 1;
	}
}
