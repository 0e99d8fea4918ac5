// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares density estimates with other implementations. */
#include "user/stats/density.h"
#include "tests/unit/vectors.h"

static double x[VECTOR_PAIRS], y[VECTOR_PAIRS];

static enum density_rule rule_of(const char *name)
{
	return !strcmp(name, "ns_full")	    ? DENSITY_FULL :
		!strcmp(name, "scott_diag") ? DENSITY_SCOTT :
					      DENSITY_NORMAL;
}

static bool make(struct density *d, const struct vectors *v, int rule)
{
	size_t n = vectors_pairs("pairs", v->cell[0], x, y);

	return density_make(d, n, x, y, rule_of(v->cell[rule]));
}

static void expect_near(const struct vectors *v, double seen, int cell)
{
	double expected = vectors_number(v, cell);

	expect_same(v->cell[0], seen, expected, 1e-9 * fabs(expected));
}

TEST(reference_kernels)
{
	struct vectors v;
	struct density d;
	int cases = 0;

	ASSERT_TRUE(vectors_open(&v, "kde/kde_bandwidth_expected"));
	for (; vectors_next(&v); cases++) {
		ASSERT_TRUE(make(&d, &v, 2));
		expect_near(&v, d.xx, 3);
		expect_near(&v, d.xy, 4);
		expect_near(&v, d.yy, 5);
	}
	EXPECT_EQ(cases, 6);
}

TEST(reference_conditionals)
{
	struct vectors v;
	struct density d;
	int cases = 0;

	ASSERT_TRUE(vectors_open(&v, "kde/kde_conditional_expected"));
	for (; vectors_next(&v); cases++) {
		struct conditional c;

		ASSERT_TRUE(make(&d, &v, 1));
		c = conditional_new(&d, vectors_number(&v, 2));
		expect_near(&v, conditional_quantile(&c, 0.05), 3);
		expect_near(&v, conditional_quantile(&c, 0.5), 4);
		expect_near(&v, conditional_quantile(&c, 0.95), 5);
		conditional_release(&c);
	}
	EXPECT_EQ(cases, 33);
}

TEST(reference_densities)
{
	struct vectors v;
	struct density d;
	int cases = 0;

	ASSERT_TRUE(vectors_open(&v, "kde/kde_density_expected"));
	for (; vectors_next(&v); cases++) {
		ASSERT_TRUE(make(&d, &v, 1));
		expect_near(&v, density_at(&d, vectors_number(&v, 2), vectors_number(&v, 3)), 4);
	}
	EXPECT_EQ(cases, 30);
}

TEST(no_density)
{
	const double a[] = { 1, 2, 3 }, same[] = { 5, 5, 5 }, huge[] = { -1e300, 0, 1e300 };
	const double line[] = { 2, 4, 6 };
	struct density d;

	EXPECT_TRUE(!density_make(&d, 0, a, a, DENSITY_FULL));
	EXPECT_TRUE(!density_make(&d, 1, a, line, DENSITY_FULL));
	EXPECT_TRUE(!density_make(&d, 3, a, same, DENSITY_FULL));
	EXPECT_TRUE(!density_make(&d, 3, same, a, DENSITY_SCOTT));
	EXPECT_TRUE(!density_make(&d, 3, a, huge, DENSITY_SCOTT));
	/* points on a line have no two-dimensional density */
	EXPECT_TRUE(!density_make(&d, 3, a, line, DENSITY_FULL));
	EXPECT_TRUE(density_make(&d, 3, a, line, DENSITY_SCOTT));
}

TEST_MAIN
