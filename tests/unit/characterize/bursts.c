// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests burstiness, parallel intensity and period of a job's I/O. An interval with bytes up to the
 * threshold is idle. A series is the bytes of each interval in turn; its period is the lag of a
 * peak of the autocorrelation. */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/characterize/counters.h"
#include "tools/characterize/rhythm.h"
#include "tests/lib/harness.h"

static void read_case(struct counters *c, const char *name)
{
	char path[256], line[1024], *rest;
	FILE *f;

	counters_init(c, 0, 1);
	snprintf(path, sizeof(path), "tests/data/burst/%s.csv", name);
	f = fopen(path, "r");
	ASSERT_TRUE(f && fgets(line, sizeof(line), f));
	for (rest = line; (rest = strchr(rest, ',')); rest++)
		counters_server(c, "server");
	while (fgets(line, sizeof(line), f)) {
		u64 i = strtoull(line, &rest, 10);

		for (u32 s = 0; s < c->servers_n; s++)
			counters_make_cell(c, s, i)->of[COUNTER_READ_BYTES] =
				strtoull(rest + 1, &rest, 10);
	}
	fclose(f);
}

static void expect_real(double seen, double expected)
{
	if (isnan(expected))
		EXPECT_TRUE(isnan(seen));
	else
		EXPECT_NEAR(seen, expected, 1e-12);
}

static void check_case(const char *line)
{
	unsigned long long c, servers, intervals, active, runs_io, runs_idle;
	double l_io, l_idle, rho, pi, p;
	struct counters counters;
	struct burst seen;
	char name[64];

	ASSERT_EQ(sscanf(line, "%63[^,],%llu,%llu,%llu,%llu,%llu,%llu,%lf,%lf,%lf,%lf,%lf", name,
			 &c, &servers, &intervals, &active, &runs_io, &runs_idle, &l_io, &l_idle,
			 &rho, &pi, &p),
		  12);
	read_case(&counters, name);
	EXPECT_EQ(counters.servers_n, servers);
	for (int both = 0; both < 2; both++) {
		seen = counters_burst(&counters, both ? DIR_BOTH : DIR_READ, c);
		EXPECT_EQ(seen.intervals, intervals);
		EXPECT_EQ(seen.active, active);
		EXPECT_EQ(seen.runs_io, runs_io);
		EXPECT_EQ(seen.runs_idle, runs_idle);
		expect_real(burst_io_length(&seen), l_io);
		expect_real(burst_idle_length(&seen), l_idle);
		expect_real(burst_rho(&seen), rho);
		expect_real(burst_pi(&seen, servers), pi);
		expect_real(burst_p(&seen, servers), p);
	}
	EXPECT_EQ(counters_burst(&counters, DIR_WRITE, c).active, 0);
	counters_release(&counters);
}

TEST(reference_vectors)
{
	FILE *f = fopen("tests/data/burst_expected.csv", "r");
	char line[1024];
	int n = 0;

	ASSERT_TRUE(f && fgets(line, sizeof(line), f));
	for (; fgets(line, sizeof(line), f); n++)
		check_case(line);
	EXPECT_EQ(n, 36);
	fclose(f);
}

/* An interval is idle if its bytes equal the threshold exactly. With DIR_BOTH, the code compares
 * the sum of the bytes read and written with the threshold. */
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
	/* x rises all the time, so successive values are similar; this hides the period of 2 */
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
