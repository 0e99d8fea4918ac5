// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the steady state of a load and the confidence interval of its rate, against values computed
 * by hand. A rate is the requests per second in one interval of the load. */
#include <math.h>
#include <stdlib.h>
#include "user/stats/steady.h"
#include "bench/load/stream.h"
#include "tests/lib/harness.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-5 * fabs(b) + 1e-12;
}

TEST(fewer_than_a_window_say_nothing)
{
	const double y[] = { 5, 5, 5, 5 };
	struct steady s = steady_test(y, 4);

	EXPECT_TRUE(!s.reached && isnan(s.range) && isnan(s.slope));
}

/* The last five rates have the mean 100, the range 19 and the slope -1.3. Over four steps, this
 * slope is a change of 5.2. The limits are 20 % of the mean for the range, and 10 % for the
 * change. */
TEST(within_both_limits)
{
	const double y[] = { 1, 1, 1, 105, 95, 109, 90, 101 };
	struct steady s = steady_test(y, 8);

	EXPECT_TRUE(near(s.mean, 100));
	EXPECT_TRUE(near(s.range, 0.19));
	EXPECT_TRUE(near(s.slope, 0.052));
	EXPECT_TRUE(s.reached);
}

/* The slope of these rates is 4.8. Over four steps, this is a change of 19.2. The mean is 99.8, so
 * the change exceeds the limit of 10 %. */
TEST(a_trend_is_not_steady)
{
	const double y[] = { 90, 95, 100, 105, 109 };
	struct steady s = steady_test(y, 5);

	EXPECT_TRUE(near(s.range, 19 / 99.8));
	EXPECT_TRUE(near(s.slope, 19.2 / 99.8));
	EXPECT_TRUE(!s.reached);
}

/* These rates have no trend. Their range is 21 and their mean 104.2, so the range exceeds the limit
 * of 20 %. */
TEST(an_outlier_is_not_steady)
{
	const double y[] = { 100, 100, 121, 100, 100 };

	EXPECT_TRUE(steady_test(y, 5).slope < STEADY_SLOPE);
	EXPECT_TRUE(steady_test(y, 5).range > 0.2);
	EXPECT_TRUE(!steady_test(y, 5).reached);
}

/* The numbers 1 to 10 have mean 5.5 and standard deviation 3.02765. Student's t(0.975, 9) is
 * 2.262157. */
TEST(interval_of_ten)
{
	double y[] = { 1, 9, 3, 7, 5, 6, 4, 8, 2, 10 };
	struct interval ci = batch_means(y, 10);

	EXPECT_EQ(ci.batches, 10);
	EXPECT_TRUE(near(ci.mean, 5.5));
	EXPECT_TRUE(near(ci.half_width, 2.262157 * 3.0276504 / sqrt(10)));
}

TEST(too_few_have_no_interval)
{
	const double y[] = { 1, 2, 3 };

	EXPECT_TRUE(isnan(batch_means(y, 3).half_width));
	EXPECT_TRUE(near(batch_means(y, 3).mean, 2));
	EXPECT_TRUE(isnan(batch_means(y, 0).mean));
}

/* 61 rates are put into 30 batches of two. The oldest rate is left out. */
TEST(many_rounds_are_put_into_batches)
{
	double y[61] = { 1000 };

	for (int i = 1; i < 61; i++)
		y[i] = 1 + i % 2;
	EXPECT_EQ(batch_means(y, 61).batches, 30);
	EXPECT_TRUE(near(batch_means(y, 61).mean, 1.5));
	EXPECT_TRUE(batch_means(y, 61).half_width == 0);
}

/* The test makes 2000 series of strongly correlated rates. For about 95 % of the series, the
 * confidence interval must contain the true mean. */
TEST(the_interval_covers_the_mean)
{
	const struct stream_spec spec = { .align = 1, .seed = 42 };
	int covered = 0;
	struct stream s;
	double y[600];

	stream_init(&s, &spec, 0, 0);
	for (int run = 0; run < 2000; run++) {
		double x = 0;
		struct interval ci;

		for (int i = 0; i < 600; i++) {
			x = 0.8 * x + stream_unit(&s) - 0.5;
			y[i] = 10 + x;
		}
		ci = batch_means(y, 600);
		covered += fabs(ci.mean - 10) <= ci.half_width;
	}
	EXPECT_GE(covered, 2000 * 0.90);
	EXPECT_LE(covered, 2000 * 0.98);
}

TEST_MAIN
