// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests burstiness, parallel intensity and period of a job's I/O. An interval with bytes up to the
 * threshold is idle. A series has the bytes of each interval, in order of time. Its period is the
 * lag of a peak of the autocorrelation. */
#include <gsl/gsl_rng.h>
#include <math.h>
#include "tools/characterize/counters.h"
#include "tools/characterize/rhythm.h"
#include "tests/lib/harness.h"

/* An interval is idle if its bytes equal the threshold exactly. With DIR_BOTH, its bytes are the
 * bytes read plus the bytes written. */
TEST(a_threshold_is_strict)
{
	struct counters c;

	counters_init(&c, 0, 1);
	counters_server(&c, "a");
	counters_make_cell(&c, 0, 0)->of[COUNTER_READ_BYTES] = 100;
	counters_make_cell(&c, 0, 0)->of[COUNTER_WRITE_BYTES] = 1;
	EXPECT_EQ(counters_burst(&c, DIR_READ, 100).active, 0);
	EXPECT_EQ(counters_burst(&c, DIR_READ, 99).active, 1);
	EXPECT_EQ(counters_burst(&c, DIR_BOTH, 100).active, 1);
	EXPECT_EQ(counters_burst(&c, DIR_WRITE, 0).active, 1);
	counters_make_cell(&c, 0, 0)->of[COUNTER_READ_BYTES] = ~0ULL;
	EXPECT_EQ(counters_burst(&c, DIR_BOTH, ~0ULL - 1).active, 1);
	counters_release(&c);
}

#define MOST 4096

/* Returns Pearson's correlation between x and x shifted by k, computed by the definition. */
static double correlation(const double *x, u32 n, u32 k)
{
	double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
	u32 m = n - k;

	for (u32 i = 0; i < m; i++) {
		mx += x[i] / m;
		my += x[i + k] / m;
	}
	for (u32 i = 0; i < m; i++) {
		xx += (x[i] - mx) * (x[i] - mx);
		yy += (x[i + k] - my) * (x[i + k] - my);
		xy += (x[i] - mx) * (x[i + k] - my);
	}
	return xy / sqrt(xx * yy);
}

TEST(a_period_is_found)
{
	static double x[MOST];

	for (u32 period = 2; period < 60; period++)
		for (u32 n = 4 * period; n <= 6 * period + 7; n += period + 7) {
			struct rhythm r;

			for (u32 i = 0; i < n; i++)
				x[i] = i % period < (period + 2) / 3 ? 1e12 : 3;
			r = rhythm_of(x, n);
			EXPECT_EQ(r.period, period);
			EXPECT_NEAR(r.strength, 1, 1e-9);
		}
}

TEST(strength_is_pearsons_correlation)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	static double x[MOST];

	for (u32 seed = 1; seed <= 20; seed++) {
		struct rhythm r;
		u32 period = 7 + seed;

		gsl_rng_set(random, seed);
		for (u32 i = 0; i < 1000; i++)
			x[i] = (i % period < 3) + 0.3 * gsl_rng_uniform(random);
		r = rhythm_of(x, 1000);
		EXPECT_EQ(r.period % period, 0);
		EXPECT_NEAR(r.strength, correlation(x, 1000, r.period), 1e-9);
		EXPECT_GT(r.strength, 0.7);
	}
	gsl_rng_free(random);
}

/* The autocorrelation of random numbers has peaks too. So up to 60 of 200 random series may have a
 * period. */
TEST(a_series_without_repetition_has_no_period)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	static double x[MOST];
	u32 found = 0;

	for (u32 i = 0; i < MOST; i++)
		x[i] = 17;
	EXPECT_EQ(rhythm_of(x, MOST).period, 0);
	EXPECT_TRUE(isnan(rhythm_of(x, MOST).strength));
	for (u32 i = 0; i < MOST; i++)
		x[i] = i;
	EXPECT_EQ(rhythm_of(x, MOST).period, 0);
	/* The values alternate with period 2, but they also rise all the time. The rise makes
	 * neighbouring values similar, and so hides the period. */
	for (u32 i = 0; i < MOST; i++)
		x[i] = 10 * i + (i % 2 ? 7 : 0);
	EXPECT_EQ(rhythm_of(x, MOST).period, 0);
	for (u32 n = 0; n < 4; n++)
		EXPECT_EQ(rhythm_of(x, n).period, 0);
	x[100] = 1e300;
	EXPECT_EQ(rhythm_of(x, 200).period, 0);
	for (u32 seed = 1; seed <= 200; seed++) {
		gsl_rng_set(random, seed);
		for (u32 i = 0; i < 300; i++)
			x[i] = gsl_rng_uniform(random);
		found += rhythm_of(x, 300).period > 0;
	}
	EXPECT_LE(found, 60);
	gsl_rng_free(random);
}

TEST_MAIN
