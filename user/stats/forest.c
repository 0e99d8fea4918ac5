// SPDX-License-Identifier: GPL-2.0-or-later
/* Grows regression trees. A row is a pair (x, y); the rows are sorted by x. A tree divides the rows
 * into successive steps. The value of a step is the mean y of its rows. The rule is a struct
 * tree_rule: it limits the growth of a tree. */
#include "user/stats/forest.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "user/stats/pairs.h"

struct growing {
	const double *x, *y;
	const uint32_t *weights;
	const struct tree_rule *rule;
	/* ends[i]: true if row i is the last row of a step */
	bool *ends;
};

static double weight(const struct growing *g, size_t row)
{
	return g->weights ? g->weights[row] : 1;
}

struct sums {
	double n, y;
};

static struct sums sum(const struct growing *g, size_t from, size_t to)
{
	struct sums s = { 0, 0 };

	for (size_t i = from; i < to; i++) {
		s.n += weight(g, i);
		s.y += weight(g, i) * g->y[i];
	}
	return s;
}

/* Finds the best split of the rows @from to @to - 1 into a left and a right part. Returns the last
 * row of the left part, or @to if the rule permits no split. The best split leaves the smallest sum
 * of squared residuals: each row is compared with the mean of its part. */
static size_t best_split(const struct growing *g, size_t from, size_t to)
{
	struct sums all = sum(g, from, to), left = { 0, 0 };
	double mean = all.y / all.n, most = 0;
	size_t best = to, last = to;

	for (size_t i = from; i < to; i++) {
		double right = all.n - left.n, off = left.y - left.n * mean, explained;

		if (!weight(g, i))
			continue;
		if (last != to && g->x[i] > g->x[last] && left.n >= g->rule->least_leaf &&
		    right >= g->rule->least_leaf) {
			explained = off * off * (1 / left.n + 1 / right);
			if (explained > most) {
				most = explained;
				best = last;
			}
		}
		left.n += weight(g, i);
		left.y += weight(g, i) * g->y[i];
		last = i;
	}
	return best;
}

static bool is_leaf(const struct growing *g, size_t from, size_t to, unsigned depth)
{
	struct sums all = sum(g, from, to);
	const double *same = NULL;

	if (all.n < g->rule->least_split || (g->rule->depth && depth >= g->rule->depth))
		return true;
	for (size_t i = from; i < to; i++) {
		if (!weight(g, i))
			continue;
		if (same && *same != g->y[i])
			return false;
		same = &g->y[i];
	}
	return true;
}

/* Splits the rows @from to @to - 1 into two parts, each part into two again, and so on, as far as
 * the rule permits. Recurses only for the smaller part, so the recursion is at most log2(n)
 * deep. */
static void split_rows(const struct growing *g, size_t from, size_t to, unsigned depth)
{
	while (!is_leaf(g, from, to, depth)) {
		size_t at = best_split(g, from, to);

		if (at == to)
			return;
		g->ends[at++] = true;
		depth++;
		if (at - from < to - at) {
			split_rows(g, from, at, depth);
			from = at;
		} else {
			split_rows(g, at, to, depth);
			to = at;
		}
	}
}

/* Returns the x at which the step with the last row @row ends: halfway to the next row with a
 * weight above 0. */
static double step_end(const struct growing *g, size_t row, size_t n)
{
	size_t next = row + 1;

	while (next < n && !weight(g, next))
		next++;
	return next < n ? g->x[row] / 2 + g->x[next] / 2 : INFINITY;
}

void tree_grow(struct tree *t, size_t n, const double *x, const double *y, const uint32_t *weights,
	       const struct tree_rule *rule)
{
	struct growing g = { x, y, weights, rule, need(calloc(n + 1, sizeof(*g.ends))) };
	size_t from = 0, steps = 1;

	split_rows(&g, 0, n, 0);
	for (size_t i = 0; i < n; i++)
		steps += g.ends[i];
	*t = (struct tree){ .until = need(calloc(steps, sizeof(double))),
			    .value = need(calloc(steps, sizeof(double))) };
	if (n)
		g.ends[n - 1] = true;
	for (size_t i = 0; i < n; i++) {
		struct sums s;

		if (!g.ends[i])
			continue;
		s = sum(&g, from, i + 1);
		t->value[t->n] = s.y / s.n;
		t->until[t->n++] = step_end(&g, i, n);
		from = i + 1;
	}
	free(g.ends);
}

double tree_at(const struct tree *t, double x)
{
	size_t low = 0, high = t->n;

	if (!t->n)
		return NAN;
	while (low + 1 < high) {
		size_t mid = (low + high) / 2;

		if (x > t->until[mid - 1])
			low = mid;
		else
			high = mid;
	}
	return t->value[low];
}

void tree_release(struct tree *t)
{
	free(t->until);
	free(t->value);
}

static void draw_rows(gsl_rng *rng, size_t n, uint32_t *weights)
{
	for (size_t i = 0; i < n; i++)
		weights[i] = 0;
	for (size_t i = 0; i < n; i++)
		weights[gsl_rng_uniform_int(rng, n)]++;
}

void forest_curve(size_t n, const double *x, const double *y, unsigned trees, uint64_t seed,
		  const struct tree_rule *rule, size_t m, const double *at, double *values)
{
	gsl_rng *rng = need(gsl_rng_alloc(gsl_rng_mt19937));
	uint32_t *order = need(calloc(2 * n + 1, sizeof(*order))), *weights = order + n;
	double *a = need(calloc(2 * n + 1, sizeof(*a))), *b = a + n;

	gsl_rng_set(rng, seed);
	pairs_order(n, x, order);
	for (size_t i = 0; i < n; i++) {
		a[i] = x[order[i]];
		b[i] = y[order[i]];
	}
	for (size_t j = 0; j < m; j++)
		values[j] = n && trees ? 0 : NAN;
	for (unsigned i = 0; n && i < trees; i++) {
		struct tree t;

		draw_rows(rng, n, weights);
		tree_grow(&t, n, a, b, weights, rule);
		for (size_t j = 0; j < m; j++)
			values[j] += tree_at(&t, at[j]) / trees;
		tree_release(&t);
	}
	free(a);
	free(order);
	gsl_rng_free(rng);
}
