// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares kriging (interpolation between measurements) with a direct solution of its linear
 * equations. A position has a coordinate in each direction. A scale has the parameters of kriging:
 * the deviation of the values, a length for each direction, the noise of single measurements, and
 * the drift. Drift is an error that successive measurements share. */
#include <math.h>
#include <stdlib.h>
#include "user/stats/kriging.h"
#include "tests/lib/harness.h"

#define N 7
#define MANY 150

static const double places[N] = { 0, 0.1, 0.25, 0.4, 0.55, 0.8, 1 };
static const double values[N] = { 3, 2.5, 2, 2.25, 4, 3.5, 1 };
static const struct kriging_scale scale = { { 0.4 }, 1.5, { 0.3, 0.2 }, 0.5, 2 };

/* Returns the covariance of the values at positions @a and @b: the Matern function of the
 * distance. */
static double common(double a, double b)
{
	double r = sqrt(3) * fabs(a - b) / scale.length[0];

	return scale.deviation * scale.deviation * (1 + r) * exp(-r);
}

/* Returns the noise and drift in the covariance of measurements @i and @j. Successive measurements
 * share the drift. */
static double besides(int i, int j)
{
	double drift = scale.drift * scale.drift * exp(-abs(i - j) / scale.memory);
	double noise = scale.noise[0] * pow(scale.noise[1] / scale.noise[0], places[i]);

	return drift + (i == j ? noise * noise : 0);
}

/* Predicts the value at @at from all points but @left_out, by Gaussian elimination. */
static double solved(double at, int left_out)
{
	double a[N][N + 1], mean = 0, sum;
	int n = 0, of[N];

	for (int i = 0; i < N; i++)
		mean += values[i] / N;
	for (int i = 0; i < N; i++)
		if (i != left_out)
			of[n++] = i;
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++)
			a[i][j] = common(places[of[i]], places[of[j]]) + besides(of[i], of[j]);
		a[i][n] = values[of[i]] - mean;
	}
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++) {
			double by = a[k][i] / a[i][i];

			for (int j = i; j <= n && k != i; j++)
				a[k][j] -= by * a[i][j];
		}
	sum = mean;
	for (int i = 0; i < n; i++)
		sum += a[i][n] / a[i][i] * common(at, places[of[i]]);
	return sum;
}

TEST(between_points)
{
	struct kriging *k = kriging_new(1, N, places, values, &scale);

	for (double at = -0.5; at < 1.5; at += 0.01)
		EXPECT_NEAR(kriging_at(k, &at), solved(at, -1), 1e-9);
	kriging_free(k);
}

TEST(without_a_point)
{
	struct kriging *k = kriging_new(1, N, places, values, &scale);
	double without[N];

	kriging_without(k, without);
	for (int i = 0; i < N; i++)
		EXPECT_NEAR(without[i], solved(places[i], i), 1e-9);
	kriging_free(k);
}

/* Two measurements at the same position differ, but the parameters say that there is almost no
 * noise. Kriging must still predict the mean of the two. */
TEST(what_cannot_be_told_apart_is_still_guessed)
{
	const double twice[] = { 0.5, 0.5 }, other[] = { 1, 3 }, at = 0.5;
	const struct kriging_scale exact = { { 1 }, 1, { 1e-12, 1e-12 }, 1e-12, 1 };
	struct kriging *k = kriging_new(1, 2, twice, other, &exact);

	ASSERT_TRUE(k != NULL);
	EXPECT_NEAR(kriging_at(k, &at), 2, 1e-3);
	kriging_free(k);
}

static double chance(void)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += rand() / (double)RAND_MAX;
	return sum - 6;
}

/* The values are a sine over the first direction, with noise of 0.1. kriging_fit() must not take
 * the noise for an effect of the second direction. */
TEST(noise_alone_is_noise)
{
	struct kriging_scale found = { { 1, 1 }, 1, { 0.01, 0.01 }, 0.1, 5 };
	double x[2 * MANY], y[MANY];

	srand(1);
	for (int i = 0; i < MANY; i++) {
		x[2 * i] = rand() / (double)RAND_MAX;
		x[2 * i + 1] = rand() / (double)RAND_MAX;
		y[i] = sin(9 * x[2 * i]) + 0.1 * chance();
	}
	kriging_fit(2, MANY, x, y, &found);
	EXPECT_NEAR(hypot(sqrt(found.noise[0] * found.noise[1]), found.drift), 0.1, 0.02);
	EXPECT_LT(found.length[0], 1.5);
	EXPECT_GT(found.length[1], 4 * found.length[0]);
}

/* The values are a sine over the first direction, with drift. Their noise rises from 0.05 to 0.2
 * along the second direction. There are few values, so the tolerances are wide. */
TEST(the_scale_is_that_of_the_values)
{
	struct kriging_scale found = { { 1, 1 }, 1, { 0.1, 0.1 }, 0.1, 5 };
	const double kept = exp(-1 / 8.0);
	double x[2 * MANY], y[MANY], drift = 0;

	srand(1);
	for (int i = 0; i < MANY; i++) {
		x[2 * i] = rand() / (double)RAND_MAX;
		x[2 * i + 1] = rand() / (double)RAND_MAX;
		drift = kept * drift + sqrt(1 - kept * kept) * 0.4 * chance();
		y[i] = sin(9 * x[2 * i]) + drift + 0.05 * pow(4, x[2 * i + 1]) * chance();
	}
	kriging_fit(2, MANY, x, y, &found);
	EXPECT_NEAR(log(found.noise[0]), log(0.05), 0.6);
	EXPECT_NEAR(log(found.noise[1]), log(0.2), 0.6);
	EXPECT_NEAR(log(found.drift), log(0.4), 0.5);
	EXPECT_NEAR(log(found.memory), log(8), 0.8);
	EXPECT_LT(found.length[0], 1.5);
	EXPECT_GT(found.length[1], 4 * found.length[0]);
}

/* Returns the negative logarithm of the likelihood, up to a constant, by Gaussian elimination.
 * kriging_fit() minimises this value. */
static double unlikely(int n, const double *x, const double *y, const struct kriging_scale *s)
{
	static double a[MANY][MANY + 1];
	double mean = 0, sum = 0;

	for (int i = 0; i < n; i++)
		mean += y[i] / n;
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++) {
			double r = sqrt(3) *
				hypot((x[2 * i] - x[2 * j]) / s->length[0],
				      (x[2 * i + 1] - x[2 * j + 1]) / s->length[1]);

			a[i][j] = pow(s->deviation, 2) * (1 + r) * exp(-r) +
				pow(s->drift, 2) * exp(-abs(i - j) / s->memory);
		}
		a[i][i] += pow(s->noise[0] * pow(s->noise[1] / s->noise[0], x[2 * i + 1]), 2);
		a[i][n] = y[i] - mean;
	}
	/* Decomposes the matrix into L D L'. Then D is in the diagonal, and the last column has
	 * L^-1 times the values. */
	for (int i = 0; i < n; i++) {
		sum += (log(a[i][i]) + a[i][n] * a[i][n] / a[i][i]) / 2;
		for (int k = i + 1; k < n; k++) {
			double by = a[k][i] / a[i][i];

			for (int j = i; j <= n; j++)
				a[k][j] -= by * a[i][j];
		}
	}
	return sum + 0.02 * (pow(log(s->length[0]), 2) + pow(log(s->length[1]), 2));
}

static void expect_no_likelier(int n, const double *x, const double *y, struct kriging_scale *s)
{
	double *const of[] = { &s->length[0], &s->length[1], &s->deviation, &s->noise[0],
			       &s->noise[1],  &s->drift,     &s->memory };
	double best = unlikely(n, x, y, s);

	for (unsigned i = 0; i < sizeof(of) / sizeof(*of); i++)
		for (int up = -1; up <= 1; up += 2) {
			double kept = *of[i];

			*of[i] = kept * exp(0.2 * up);
			EXPECT_GT(unlikely(n, x, y, s), best - 0.02);
			*of[i] = kept;
		}
}

/* kriging_fit() searches the scale for which the values are most likely. The test starts it from
 * two different scales. A change of any parameter of the found scale must make the values less
 * likely. */
TEST(nothing_near_is_likelier)
{
	double x[2 * MANY], y[MANY];

	srand(3);
	for (int i = 0; i < MANY; i++) {
		x[2 * i] = rand() / (double)RAND_MAX;
		x[2 * i + 1] = rand() / (double)RAND_MAX;
		y[i] = sin(5 * x[2 * i]) * cos(3 * x[2 * i + 1]) +
			0.03 * pow(10, 1 - x[2 * i + 1]) * chance() + 0.2 * sin(i / 3.0);
	}
	for (int begin = 0; begin < 2; begin++) {
		struct kriging_scale found = { { 1, 1 }, 1, { 0.1, 0.1 }, 0.1, 5 };

		if (begin)
			found = (struct kriging_scale){ { 0.2, 3 }, 2, { 0.3, 0.02 }, 0.5, 1 };
		kriging_fit(2, MANY, x, y, &found);
		expect_no_likelier(MANY, x, y, &found);
	}
}

/* Successive measurements share a drift of 1, which predictions must not contain. */
TEST(what_a_time_has_in_common_is_none_of_the_place)
{
	struct kriging_scale found = { { 1 }, 1, { 0.1, 0.1 }, 0.1, 5 };
	struct kriging *k;
	double x[MANY], y[MANY], worst = 0;

	srand(2);
	for (int i = 0; i < MANY; i++) {
		x[i] = rand() / (double)RAND_MAX;
		y[i] = x[i] + (i % 30 < 15 ? 0.5 : -0.5);
	}
	kriging_fit(1, MANY, x, y, &found);
	k = kriging_new(1, MANY, x, y, &found);
	for (double at = 0; at <= 1; at += 0.1)
		worst = fmax(worst, fabs(kriging_at(k, &at) - at));
	EXPECT_LT(worst, 0.15);
	kriging_free(k);
}

TEST_MAIN
