// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests distance correlation, against its definition and exact values. */
#include "user/stats/distance.h"
#include "user/stats/pairs.h"
#include "tests/unit/vectors.h"

static double correlation_of(size_t n, const double *x, const double *y)
{
	struct distances *a = distances_new(n, x), *b = distances_new(n, y);
	double r = distance_correlation(a, b, NULL);

	distances_free(a);
	distances_free(b);
	return r;
}

TEST(reference_vectors)
{
	double x[VECTOR_PAIRS], y[VECTOR_PAIRS];
	struct vectors v;
	int cases = 0;

	ASSERT_TRUE(vectors_open(&v, "associations_expected"));
	for (; vectors_next(&v); cases++) {
		size_t n = vectors_pairs("pairs", v.cell[0], x, y);

		n = pairs_finite(n, x, y);
		EXPECT_EQ(n, vectors_number(&v, 1));
		expect_same(v.cell[0], correlation_of(n, x, y), vectors_number(&v, 4),
			    n < 100 ? 1e-12 : 1e-9);
	}
	EXPECT_EQ(cases, 23);
}

/* Because of rounding, some of these correlations would exceed 1 if they were not limited. */
TEST(duplicates_are_within_the_range)
{
	double x[12], y[12];

	srand48(1);
	for (int i = 0; i < 10000; i++) {
		unsigned n = 3 + i % 10;

		for (unsigned k = 0; k < n; k++) {
			x[k] = drand48();
			y[k] = i & 1 ? x[k] : -x[k];
		}
		EXPECT_LE(correlation_of(n, x, y), 1);
	}
}

static double distance(const double *v, int i, int j)
{
	return fabs(v[i] - v[j]);
}

static double centred(const double *v, int n, int i, int j)
{
	double row = 0, column = 0, all = 0;

	for (int k = 0; k < n; k++) {
		row += distance(v, i, k) / n;
		column += distance(v, k, j) / n;
		for (int l = 0; l < n; l++)
			all += distance(v, k, l) / n / n;
	}
	return distance(v, i, j) - row - column + all;
}

static double covariance(const double *x, const double *y, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			sum += centred(x, n, i, j) * centred(y, n, i, j) / n / n;
	return sum;
}

static double defined(const double *x, const double *y, int n)
{
	return sqrt(covariance(x, y, n) / sqrt(covariance(x, x, n) * covariance(y, y, n)));
}

#define N 17

static void draw(double *v, int values)
{
	for (int i = 0; i < N; i++)
		v[i] = rand() % values;
	v[0] = 0; /* at least two numbers must differ */
	v[1] = 1;
}

TEST(as_it_is_defined)
{
	double x[N], y[N];

	srand(1);
	for (int i = 0; i < 100; i++) {
		draw(x, 2 + i);
		draw(y, 2 + i / 3);
		EXPECT_NEAR(correlation_of(N, x, y), defined(x, y, N), 1e-9);
	}
}

TEST(another_order)
{
	double x[N], y[N], z[N];
	uint32_t order[N];

	srand(2);
	for (int i = 0; i < 20; i++) {
		struct distances *a, *b;

		draw(x, 10);
		draw(y, 1000);
		for (int k = 0; k < N; k++)
			order[k] = (k * 5 + i) % N;
		for (int k = 0; k < N; k++)
			z[k] = y[order[k]];
		a = distances_new(N, x);
		b = distances_new(N, y);
		EXPECT_NEAR(distance_correlation(a, b, order), correlation_of(N, x, z), 1e-12);
		distances_free(a);
		distances_free(b);
	}
}

/* Byte counts and time stamps are large numbers with small differences. Rounding must not lose
 * these differences. */
TEST(far_from_zero)
{
	double x[N], y[N], far_x[N], far_y[N];

	srand(3);
	draw(x, 1000);
	draw(y, 1000);
	for (int i = 0; i < N; i++) {
		far_x[i] = x[i] * 1024 + 0x1p60;
		far_y[i] = y[i] * 1e-9 + 1e-3;
	}
	EXPECT_NEAR(correlation_of(N, far_x, far_y), correlation_of(N, x, y), 1e-9);
}

#define MANY 100000

/* MANY by MANY distances would need 80 GB. The code must not store them. */
TEST(many_pairs)
{
	double *x = malloc(MANY * sizeof(*x)), *y = malloc(MANY * sizeof(*y));

	for (int i = 0; i < MANY; i++) {
		x[i] = i;
		y[i] = fabs(i - MANY / 2.0);
	}
	/* exact limit for x uniform in [-1, 1], y = |x|: covariance 1/45, variances 8/45 and
	 * 2/45 */
	EXPECT_NEAR(correlation_of(MANY, x, y), 0.5, 1e-4);
	EXPECT_NEAR(correlation_of(MANY, x, x), 1, 1e-9);
	free(x);
	free(y);
}

TEST_MAIN
