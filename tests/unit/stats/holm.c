// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests Holm's correction, which adjusts the p values of several tests. */
#include <math.h>

#include "user/stats/holm.h"
#include "tests/lib/harness.h"

static void expect_all(size_t n, const double *p, const double *expected)
{
	double to[8];

	holm(n, p, to);
	for (size_t i = 0; i < n; i++) {
		if (isnan(expected[i]))
			EXPECT_TRUE(isnan(to[i]));
		else
			EXPECT_NEAR(to[i], expected[i], 1e-12);
	}
}

/* Holm's correction multiplies the smallest of four p by 4, the next one by 3, and so on. A result
 * is never below the result of a smaller p. */
TEST(the_least_counts_most)
{
	const double p[] = { 0.03, 0.005, 0.04, 0.01 };
	const double expected[] = { 0.06, 0.02, 0.06, 0.03 };

	expect_all(4, p, expected);
}

/* NaN stands for a test that was not made. Holm's correction must ignore it. */
TEST(without_p_is_none)
{
	const double p[] = { NAN, 0.02, NAN, 0.5, 0.02 };
	const double expected[] = { NAN, 0.06, NAN, 0.5, 0.06 };

	expect_all(5, p, expected);
	expect_all(1, p, expected);
	expect_all(0, p, expected);
}

TEST(never_above_one)
{
	const double p[] = { 0.7, 0.6, 1 };
	const double expected[] = { 1, 1, 1 };

	expect_all(3, p, expected);
}

TEST_MAIN
