// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests correlations against reference and published values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "user/stats/correlation.h"
#include "tests/lib/harness.h"

#define MOST 256

static unsigned read_pairs(const char *name, double *x, double *y)
{
	char path[128], line[128];
	unsigned n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "tests/data/pairs/%s.csv", name);
	f = fopen(path, "r");
	if (!f)
		return MOST;
	while (n < MOST && fgets(line, sizeof(line), f))
		n += sscanf(line, "%lf,%lf", &x[n], &y[n]) == 2;
	fclose(f);
	return n;
}

static void expect_same(double seen, double expected, double tolerance)
{
	EXPECT_EQ(isnan(seen), isnan(expected));
	if (!isnan(expected))
		EXPECT_NEAR(seen, expected, tolerance);
}

/* The expected values were computed with exact fractions. */
TEST(reference_vectors)
{
	FILE *f = fopen("tests/data/pairs_expected.csv", "r");
	double x[MOST], y[MOST], pearson, spearman;
	char line[256], name[64];
	unsigned cases = 0;

	ASSERT_TRUE(f != NULL);
	while (fgets(line, sizeof(line), f)) {
		unsigned n;

		if (sscanf(line, "%63[^,],%lf,%lf", name, &pearson, &spearman) != 3)
			continue;
		printf("%s\n", name);
		n = read_pairs(name, x, y);
		ASSERT_LT(n, MOST);
		expect_same(correlation_pearson(n, x, y), pearson, 1e-9);
		expect_same(correlation_spearman(n, x, y), spearman, 1e-12);
		cases++;
	}
	fclose(f);
	EXPECT_EQ(cases, 22);
}

/* The four sets of Anscombe 1973 look very different, but all have r = 0.816. */
TEST(published_quartet)
{
	static const double x[11] = { 10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5 };
	static const double x_4[11] = { 8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8 };
	static const double y[4][11] = {
		{ 8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68 },
		{ 9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74 },
		{ 7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73 },
		{ 6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.50, 5.56, 7.91, 6.89 },
	};

	for (int i = 0; i < 4; i++)
		EXPECT_NEAR(correlation_pearson(11, i < 3 ? x : x_4, y[i]), 0.8165, 0.001);
}

#define PAIRS_MOST 12

/* Because of rounding, some of these correlations would exceed 1 if they were not limited. */
TEST(duplicates_are_within_the_range)
{
	double x[PAIRS_MOST], y[PAIRS_MOST];

	srand48(1);
	for (int i = 0; i < 10000; i++) {
		unsigned n = 3 + i % (PAIRS_MOST - 2);

		for (unsigned k = 0; k < n; k++) {
			x[k] = drand48();
			y[k] = i & 1 ? x[k] : -x[k];
		}
		EXPECT_LE(fabs(correlation_pearson(n, x, y)), 1);
		EXPECT_LE(fabs(correlation_spearman(n, x, y)), 1);
	}
}

/* One huge value must not make the small ones equal. */
TEST(ranks_need_no_scale)
{
	const double x[4] = { 1, 2, 3, 1e300 }, y[4] = { 2, 1, 3, 4 };

	EXPECT_NEAR(correlation_spearman(4, x, y), 0.8, 1e-12);
}

#define POINTS 4
#define RUNS 2

static const double times[POINTS][RUNS] = { { 1, 1.4 }, { 2.1, 1.7 }, { 3, 3.3 }, { 3.2, 4.6 } };
static const double rates[POINTS][RUNS] = { { 9, 7 }, { 5, 6.5 }, { 4.2, 3 }, { 3.6, 1 } };

static void make_points(struct repeated *points, unsigned runs)
{
	for (int i = 0; i < POINTS; i++)
		points[i] = (struct repeated){ times[i], rates[i], runs };
}

/* Returns Pearson's correlation for one draw, by the textbook formula. A draw takes two
 * measurements of each point, possibly the same one twice: two bits of @draw select them. */
static double textbook(unsigned draw)
{
	double sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;

	for (int i = 0; i < POINTS; i++, draw >>= 2) {
		double x = (times[i][draw & 1] + times[i][draw >> 1 & 1]) / 2;
		double y = (rates[i][draw & 1] + rates[i][draw >> 1 & 1]) / 2;

		sx += x;
		sy += y;
		xx += x * x;
		yy += y * y;
		xy += x * y;
	}
	return (POINTS * xy - sx * sy) / sqrt((POINTS * xx - sx * sx) * (POINTS * yy - sy * sy));
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A draw selects two measurements of each point, with repetition. Only 256 draws are possible, all
 * equally likely, so the test computes them all. */
TEST(interval_is_that_of_all_draws)
{
	struct repeated points[POINTS];
	struct correlation c;
	double all[256];

	for (unsigned i = 0; i < 256; i++)
		all[i] = textbook(i);
	qsort(all, 256, sizeof(*all), ascending);
	make_points(points, RUNS);
	c = correlation_of_points(points, POINTS);
	/* The expected interval contains 95 % of the 256 possible values, so 6 values lie below it,
	 * and 6 above it. correlation_of_points() makes 2000 random draws instead, so each limit
	 * may be wrong by two values. */
	EXPECT_GE(c.low, all[4]);
	EXPECT_LE(c.low, all[8]);
	EXPECT_GE(c.high, all[247]);
	EXPECT_LE(c.high, all[251]);
	/* this draw has each measurement once, so it gives the original correlation */
	EXPECT_NEAR(c.pearson, textbook(0xaa), 1e-12);
	EXPECT_NEAR(c.spearman, -1, 1e-12);
}

/* If all measurements of a point are equal, the confidence interval has length 0. With one
 * measurement for each point, there is no confidence interval. */
TEST(ends_of_the_interval)
{
	static const double x[3] = { 1, 1, 1 }, x2[3] = { 2, 2, 2 }, x3[3] = { 3, 3, 3 };
	const struct repeated same[3] = { { x, x3, 3 }, { x2, x, 3 }, { x3, x2, 3 } };
	struct correlation c = correlation_of_points(same, 3);
	struct repeated points[POINTS];

	EXPECT_NEAR(c.pearson, -0.5, 1e-12);
	EXPECT_NEAR(c.low, c.pearson, 1e-12);
	EXPECT_NEAR(c.high, c.pearson, 1e-12);
	make_points(points, 1);
	c = correlation_of_points(points, POINTS);
	EXPECT_TRUE(!isnan(c.pearson) && isnan(c.low) && isnan(c.high));
	c = correlation_of_points(points, 1);
	EXPECT_TRUE(isnan(c.pearson) && isnan(c.low) && isnan(c.spearman));
}

/* Table 1 of He, Sun, Yin 2013 expects a sign for each correlation. A normalised correlation is
 * positive if the correlation has the expected sign. */
TEST(normalised_by_what_was_expected)
{
	const struct correlation c = { -0.9, -0.95, -0.8, -1 };
	struct correlation right = correlation_normalised(c, -1);
	struct correlation wrong = correlation_normalised(c, 1);

	EXPECT_NEAR(right.pearson, 0.9, 0);
	EXPECT_NEAR(right.low, 0.8, 0);
	EXPECT_NEAR(right.high, 0.95, 0);
	EXPECT_NEAR(right.spearman, 1, 0);
	EXPECT_NEAR(wrong.pearson, -0.9, 0);
	EXPECT_NEAR(wrong.low, -0.95, 0);
}

TEST_MAIN
