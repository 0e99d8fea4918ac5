// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the distance correlation of two quantities from sums over their sorted numbers. The
 * distance of two numbers is their absolute difference. */
#include "user/stats/distance.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "user/stats/pairs.h"

struct distances {
	size_t n;
	double *at;	 /* the n numbers after pairs_scale(): shifted to the mean 0, and scaled */
	double *rows;	 /* rows[i]: mean of the distances |number i - number j| over all j */
	double mean;	 /* mean of all .rows */
	double variance; /* square of the distance variance; 0 if all numbers are equal */
	/* .order: indices of the numbers, from the smallest number to the largest. .rank[i]:
	 * position of number i in .order. */
	uint32_t *order, *rank;
};

/* Computes .rows, .mean and .variance in O(n), by cumulative sums over the sorted numbers instead
 * of all n^2 distances. */
static void measure_distances(struct distances *d)
{
	double before = 0, squares = 0, rows = 0, n = d->n;

	for (size_t k = 0; k < d->n; k++) {
		double v = d->at[d->order[k]];

		/* Sum of the distances from v to all other numbers. @before is the sum of the k
		 * smaller numbers. All numbers add up to 0, so the sum of the larger numbers is
		 * -(before + v). */
		d->rows[d->order[k]] = (v * (2.0 * k - n) - 2 * before) / n;
		before += v;
	}
	for (size_t i = 0; i < d->n; i++) {
		d->mean += d->rows[i] / n;
		squares += d->at[i] * d->at[i] / n;
		rows += d->rows[i] * d->rows[i] / n;
	}
	d->variance = fmax(2 * squares - 2 * rows + d->mean * d->mean, 0);
}

struct distances *distances_new(size_t n, const double *v)
{
	struct distances *d = need(calloc(1, sizeof(*d)));

	*d = (struct distances){ .n = n,
				 .at = need(calloc(n + 1, sizeof(*d->at))),
				 .rows = need(calloc(n + 1, sizeof(*d->rows))),
				 .order = need(calloc(n + 1, sizeof(*d->order))),
				 .rank = need(calloc(n + 1, sizeof(*d->rank))) };
	pairs_order(n, v, d->order);
	for (size_t k = 0; k < n; k++)
		d->rank[d->order[k]] = k;
	if (pairs_scale(n, v, d->at))
		measure_distances(d);
	return d;
}

void distances_free(struct distances *d)
{
	if (!d)
		return;
	free(d->at);
	free(d->rows);
	free(d->order);
	free(d->rank);
	free(d);
}

/* An element of a Fenwick tree (binary indexed tree) over the ranks of y. For a given y, the tree
 * gives four sums over the pairs with a smaller y: their number, and the sums of x, y and xy. */
struct below {
	double n, x, y, xy;
};

static void below_add(struct below *tree, size_t n, size_t rank, double x, double y)
{
	for (size_t i = rank + 1; i <= n; i += i & -i) {
		tree[i].n++;
		tree[i].x += x;
		tree[i].y += y;
		tree[i].xy += x * y;
	}
}

static struct below below_sum(const struct below *tree, size_t rank)
{
	struct below s = {};

	for (size_t i = rank; i; i -= i & -i) {
		s.n += tree[i].n;
		s.x += tree[i].x;
		s.y += tree[i].y;
		s.xy += tree[i].xy;
	}
	return s;
}

/* Returns the mean of |p| over all i and j, where p = (xi - xj) (yi - yj), in O(n log n). As |p| is
 * 2 max(p, 0) - p, the sum of all p and the sum of the positive p suffice. To find the positive p,
 * visits the pairs (x, y) in ascending order of x. For pair i and an earlier pair j, p is positive
 * if yj < yi. The tree gives the sums over these pairs j. */
static double mean_product(const struct distances *x, const struct distances *y,
			   const uint32_t *order)
{
	struct below *tree = need(calloc(x->n + 1, sizeof(*tree)));
	long double rising = 0, all = 0;

	for (size_t k = 0; k < x->n; k++) {
		uint32_t i = x->order[k], j = order ? order[i] : i;
		double u = x->at[i], v = y->at[j];
		struct below s = below_sum(tree, y->rank[j]);

		rising += s.n * u * v - u * s.y - v * s.x + s.xy;
		all += u * v;
		below_add(tree, x->n, y->rank[j], u, v);
	}
	free(tree);
	return 2 * (2 * rising - x->n * all) / x->n / x->n;
}

double distance_correlation(const struct distances *x, const struct distances *y,
			    const uint32_t *order)
{
	double covariance = 0;

	if (x->n < 2)
		return NAN;
	if (x->variance == 0 || y->variance == 0)
		return 0;
	for (size_t i = 0; i < x->n; i++)
		covariance += x->rows[i] * y->rows[order ? order[i] : i] / x->n;
	covariance = mean_product(x, y, order) - 2 * covariance + x->mean * y->mean;
	/* rounding errors may put the quotient slightly below 0 or above 1 */
	return sqrt(fmin(fmax(covariance / sqrt(x->variance) / sqrt(y->variance), 0), 1));
}
