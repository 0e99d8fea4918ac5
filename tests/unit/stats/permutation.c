// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the permutation test, by which iospan decides whether a correlation may be chance. */
#include <math.h>
#include <stdlib.h>
#include "user/stats/permutation.h"
#include "tests/lib/harness.h"

#define N 5

static const double x[N] = { 1, 2, 3, 4, 5 }, y[N] = { 2, 1, 4, 3, 7 };

static double product(const void *arg, const uint32_t *order)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		sum += x[i] * y[order ? order[i] : (uint32_t)i];
	return sum;
}

static double as_it_is(double v)
{
	return v;
}

static double at_most_40(double v)
{
	return fmin(v, 40);
}

static double undefined(const void *arg, const uint32_t *order)
{
	return NAN;
}

/* Tries all orders of N numbers, and computes product() for each. Counts the orders in @all, and
 * sums up the products in @sum. Counts in @as_strong the orders with a product at least as large as
 * in the observed order. */
static void every_order(uint32_t *order, int n, double *all, double *as_strong, double *sum)
{
	if (n == N) {
		double v = product(NULL, order);

		++*all;
		*sum += v;
		*as_strong += v >= product(NULL, NULL) - 1e-9;
		return;
	}
	for (int i = n; i < N; i++) {
		uint32_t at = order[n];

		order[n] = order[i];
		order[i] = at;
		every_order(order, n + 1, all, as_strong, sum);
		order[i] = order[n];
		order[n] = at;
	}
}

TEST(as_likely_as_all_orders_say)
{
	double all = 0, as_strong = 0, sum = 0;
	uint32_t order[N] = { 0, 1, 2, 3, 4 };
	struct permutations p = permutations_try(N, 40000, 1, product, as_it_is, NULL);

	every_order(order, 0, &all, &as_strong, &sum);
	EXPECT_EQ(all, 120);
	EXPECT_NEAR(p.p, as_strong / all, 0.01);
	EXPECT_NEAR(p.mean, sum / all, 0.1);
}

/* The observed order is itself one of the possible orders. So p must never be 0. */
TEST(never_zero)
{
	for (unsigned n = 1; n < 10; n++)
		EXPECT_GE(permutations_try(N, n, 7, product, as_it_is, NULL).p, 1 / (n + 1.0));
}

TEST(the_same_for_the_same_seed)
{
	EXPECT_NEAR(permutations_try(N, 50, 3, product, as_it_is, NULL).mean,
		    permutations_try(N, 50, 3, product, as_it_is, NULL).mean, 0);
	EXPECT_NE(permutations_try(N, 50, 3, product, as_it_is, NULL).mean,
		  permutations_try(N, 50, 4, product, as_it_is, NULL).mean);
}

/* permutations_try() computes the mean from limited values (at_most_40()), but p from the original
 * values. So the limit must lower the mean, but not change p. */
TEST(the_mean_is_of_what_is_shown)
{
	struct permutations all = permutations_try(N, 500, 3, product, as_it_is, NULL);
	struct permutations cut = permutations_try(N, 500, 3, product, at_most_40, NULL);

	EXPECT_NEAR(cut.p, all.p, 0);
	EXPECT_LT(cut.mean, 40);
	EXPECT_LT(cut.mean, all.mean);
}

TEST(of_nothing)
{
	EXPECT_TRUE(isnan(permutations_try(N, 99, 1, undefined, as_it_is, NULL).p));
	EXPECT_TRUE(isnan(permutations_try(N, 0, 1, product, as_it_is, NULL).p));
}

TEST_MAIN
