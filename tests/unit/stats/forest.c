// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares regression trees and forests with other implementations. */
#include "user/stats/forest.h"
#include "user/stats/pairs.h"
#include "tests/unit/vectors.h"

static double x[VECTOR_PAIRS], y[VECTOR_PAIRS];

static size_t sorted_pairs(const char *name)
{
	static double a[VECTOR_PAIRS], b[VECTOR_PAIRS];
	size_t n = vectors_pairs("pairs", name, a, b);
	uint32_t order[VECTOR_PAIRS];

	pairs_order(n, a, order);
	for (size_t i = 0; i < n; i++) {
		x[i] = a[order[i]];
		y[i] = b[order[i]];
	}
	return n;
}

static void grow(struct tree *t, const struct vectors *v)
{
	struct tree_rule rule = { .least_split = 2,
				  .least_leaf = vectors_number(v, 1),
				  .depth = vectors_number(v, 2) };

	tree_grow(t, sorted_pairs(v->cell[0]), x, y, NULL, &rule);
}

TEST(splits_of_reference_trees)
{
	struct vectors v;
	int cases = 0;

	ASSERT_TRUE(vectors_open(&v, "forest/cart_splits_expected"));
	for (; vectors_next(&v); cases++) {
		char *rest = v.cell[4];
		struct tree t;

		grow(&t, &v);
		EXPECT_EQ(2 * t.n - 1, vectors_number(&v, 3));
		for (size_t i = 0; i + 1 < t.n; i++) {
			double split = strtod(rest, &rest);

			/* the other implementation stores x as float, so its splits are less
			 * exact */
			expect_same(v.cell[0], t.until[i], split, 1e-6 * fabs(split));
		}
		tree_release(&t);
	}
	EXPECT_EQ(cases, 12);
}

TEST(values_of_reference_trees)
{
	struct vectors v;
	int cases = 0;

	ASSERT_TRUE(vectors_open(&v, "forest/cart_predict_expected"));
	for (; vectors_next(&v); cases++) {
		struct tree t;

		grow(&t, &v);
		expect_same(v.cell[0], tree_at(&t, vectors_number(&v, 3)), vectors_number(&v, 4),
			    1e-9);
		tree_release(&t);
	}
	EXPECT_EQ(cases, 108);
}

TEST(reference_forest)
{
	double at[64], expected[64], seen[64];
	size_t n = sorted_pairs("job_173"), m = 0;
	struct vectors v;

	ASSERT_TRUE(vectors_open(&v, "forest/rf_job_173_rows_resampled_expected"));
	for (; vectors_next(&v); m++) {
		at[m] = vectors_number(&v, 0);
		expected[m] = vectors_number(&v, 1);
	}
	EXPECT_EQ(m, 25);
	forest_curve(n, x, y, 500, 1, &FOREST_RULE, m, at, seen);
	for (size_t i = 0; i < m; i++)
		EXPECT_NEAR(seen[i], expected[i], 3);
}

/* A row with weight 3 must have the same effect as the same row three times. */
TEST(rows_that_count_more)
{
	const double a[] = { 1, 2, 3, 4, 5 }, b[] = { 1, 2, 9, 7, 8 };
	const uint32_t weights[] = { 3, 0, 1, 2, 1 };
	const double many_a[] = { 1, 1, 1, 3, 4, 4, 5 }, many_b[] = { 1, 1, 1, 9, 7, 7, 8 };
	struct tree_rule rule = { .least_split = 2, .least_leaf = 1 };
	struct tree t, u;

	for (rule.least_split = 2; rule.least_split < 9; rule.least_split++) {
		tree_grow(&t, 5, a, b, weights, &rule);
		tree_grow(&u, 7, many_a, many_b, NULL, &rule);
		for (double at = 0; at < 6; at += 0.25)
			EXPECT_NEAR(tree_at(&t, at), tree_at(&u, at), 1e-12);
		tree_release(&t);
		tree_release(&u);
	}
}

TEST(nothing_to_grow_from)
{
	const double one[] = { 3 }, at[] = { -1, 3, 7 };
	double seen[3];

	forest_curve(0, one, one, 10, 1, &FOREST_RULE, 3, at, seen);
	for (int i = 0; i < 3; i++)
		EXPECT_TRUE(isnan(seen[i]));
	forest_curve(1, one, one, 10, 1, &FOREST_RULE, 3, at, seen);
	for (int i = 0; i < 3; i++)
		EXPECT_NEAR(seen[i], 3, 1e-12);
}

TEST_MAIN
