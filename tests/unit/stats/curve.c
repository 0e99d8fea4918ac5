// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the curves through measured points. */
#include <math.h>
#include "user/stats/curve.h"
#include "tests/lib/harness.h"

static const double known[] = { 0.01, 0.02, 0.03, 0.04, 0.05, 0.06 };

/* In logarithms a power law is a straight line, so interpolation must be exact. */
TEST(a_power_law_is_met_everywhere)
{
	double x[] = { log(1), log(3), log(50), log(64) }, y[4];
	struct curve *c;

	for (int i = 0; i < 4; i++)
		y[i] = 7e6 * pow(exp(x[i]), -0.75);
	c = curve_new(4, x, y, known);
	for (double at = 1; at < 64; at += 0.5)
		EXPECT_NEAR(exp(curve_at(c, log(at)).log_y) / (7e6 * pow(at, -0.75)), 1, 1e-12);
	curve_free(c);
}

/* At a sharp bend, as of a cache, a cubic spline would overshoot. The curve must stay monotone
 * between two points. */
TEST(between_two_points_a_curve_is_monotone)
{
	const double x[] = { 0, 1, 2, 2.1, 3, 5 }, y[] = { 1000, 990, 985, 10, 11, 9 };
	struct curve *c = curve_new(6, x, y, known);

	for (int i = 0; i < 5; i++) {
		double last = y[i];

		for (double part = 0.05; part <= 1.001; part += 0.05) {
			double v = exp(curve_at(c, x[i] + part * (x[i + 1] - x[i])).log_y);

			if (y[i] < y[i + 1])
				EXPECT_GE(v, last * (1 - 1e-12));
			else
				EXPECT_LE(v, last * (1 + 1e-12));
			last = v;
		}
		EXPECT_NEAR(last, y[i + 1], 1e-3 * y[i + 1]);
	}
	curve_free(c);
}

TEST(points_are_met_and_ends_go_on)
{
	const double x[] = { 0, 1, 4 }, y[] = { 5, 2, 8 };
	struct curve *c = curve_new(3, x, y, known);

	for (int i = 0; i < 3; i++) {
		EXPECT_NEAR(exp(curve_at(c, x[i]).log_y), y[i], 1e-12);
		EXPECT_EQ(curve_at(c, x[i]).half, known[i]);
	}
	EXPECT_NEAR(exp(curve_at(c, -3).log_y), 5, 1e-12);
	EXPECT_EQ(curve_at(c, -3).half, 0.01);
	EXPECT_NEAR(exp(curve_at(c, 9).log_y), 8, 1e-12);
	EXPECT_EQ(curve_at(c, 9).half, 0.03);
	EXPECT_EQ(curve_at(c, 0.5).half, 0.02);
	curve_free(c);
}

TEST(beside_a_point_without_a_value_nothing_is_known)
{
	const double x[] = { 0, 1, 2, 3, 4 }, y[] = { 5, NAN, 5, 5, 5 };
	struct curve *c = curve_new(5, x, y, known);

	EXPECT_NEAR(exp(curve_at(c, 0).log_y), 5, 1e-12);
	EXPECT_TRUE(isnan(curve_at(c, 0.5).log_y));
	EXPECT_TRUE(isnan(curve_at(c, 1).log_y));
	EXPECT_TRUE(isnan(curve_at(c, 1.5).log_y));
	EXPECT_NEAR(exp(curve_at(c, 2).log_y), 5, 1e-12);
	EXPECT_NEAR(exp(curve_at(c, 2.5).log_y), 5, 1e-12);
	curve_free(c);
}

TEST(an_unknown_width_stays_unknown)
{
	const double x[] = { 0, 1, 2 }, y[] = { 1, 2, 3 }, half[] = { 0.1, NAN, 0.1 };
	struct curve *c = curve_new(3, x, y, half);

	EXPECT_EQ(curve_at(c, 0).half, 0.1);
	EXPECT_TRUE(isnan(curve_at(c, 0.5).half));
	EXPECT_TRUE(isnan(curve_at(c, 1.5).half));
	curve_free(c);
}

TEST(few_points_will_do)
{
	const double x[] = { 0, 1 }, y[] = { 4, 16 };
	struct curve *two = curve_new(2, x, y, known), *one = curve_new(1, x, y, known);
	struct curve *none = curve_new(0, x, y, known);

	EXPECT_NEAR(exp(curve_at(two, 0.5).log_y), 8, 1e-12);
	EXPECT_NEAR(exp(curve_at(one, 7).log_y), 4, 1e-12);
	EXPECT_TRUE(isnan(curve_at(none, 0).log_y));
	EXPECT_TRUE(isnan(curve_at(NULL, 0).log_y));
	curve_free(two);
	curve_free(one);
	curve_free(none);
	curve_free(NULL);
}

TEST_MAIN
