// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests latency histograms and percentiles, against sorted lists. A bucket counts the latencies
 * between two limits. A histogram also has the largest latency (maximum). */
#include <math.h>
#include <stdlib.h>
#include "user/metric/hist.h"
#include "tests/lib/harness.h"

static u64 hist[HIST_BUCKETS];
static u64 max_ns;

static void add(u64 ns)
{
	hist[hist_index(ns)]++;
	if (ns > max_ns)
		max_ns = ns;
}

static double percentile(double q)
{
	return hist_percentile_ns(hist, q, max_ns);
}

/* hist_index() computes the bucket of a latency, and hist_floor_ns() the lower limit of a bucket.
 * They must agree, and there must be no gap between two buckets. */
TEST(every_bucket_begins_at_its_floor)
{
	for (u32 i = 0; i < HIST_BUCKETS; i++) {
		EXPECT_EQ(hist_index(hist_floor_ns(i)), i);
		EXPECT_EQ(hist_index(hist_floor_ns(i + 1) - 1), i);
	}
	EXPECT_EQ(hist_index(1ULL << 40), HIST_BUCKETS - 1);
	EXPECT_EQ(hist_index(UINT64_MAX), HIST_BUCKETS - 1);
}

TEST(bucket_is_at_most_a_sixteenth_wide)
{
	for (u32 i = 0; i < HIST_BUCKETS; i++) {
		u64 first = hist_floor_ns(i), width = hist_floor_ns(i + 1) - first;

		EXPECT_TRUE(width == 1 || 16 * width <= first);
	}
}

TEST(no_samples_have_no_percentile)
{
	EXPECT_TRUE(isnan(percentile(0.5)));
}

TEST(one_sample_is_every_percentile)
{
	add(1000);
	for (int i = 0; i <= 1000; i++)
		EXPECT_EQ(percentile(i / 1000.0), 1000);
}

/* The maximum is exact, so a percentile that falls on the longest latency is exact as well. The
 * percentiles below it are interpolated. */
TEST(longest_sample_is_exact)
{
	for (int i = 0; i < 4; i++)
		add(1000);
	EXPECT_LE(percentile(0.75), 1000);
	EXPECT_EQ(percentile(0.76), 1000);
	EXPECT_EQ(percentile(0.99), 1000);
	add(100000);
	EXPECT_LE(percentile(0.8), 1023);
	EXPECT_EQ(percentile(0.81), 100000);
}

/* Below 32 ns, each bucket holds a single value, so percentiles must be exact. */
TEST(short_times_are_exact)
{
	for (int i = 0; i < 5; i++)
		add(7);
	add(20);
	EXPECT_EQ(percentile(0), 7);
	EXPECT_EQ(percentile(0.5), 7);
	EXPECT_EQ(percentile(1), 20);
}

TEST(zero_is_a_time)
{
	add(0);
	EXPECT_EQ(percentile(0.5), 0);
	EXPECT_EQ(percentile(1), 0);
}

/* Half of the latencies are short, and half are long. A percentile must be one of these latencies.
 * It must not be a value in between, which never occurred. */
TEST(gap_is_jumped)
{
	for (int i = 0; i < 50; i++)
		add(100);
	for (int i = 0; i < 50; i++)
		add(1000000);
	EXPECT_NEAR(percentile(0.5), 100, 100 / 16.0);
	EXPECT_NEAR(percentile(0.51), 1000000, 1000000 / 16.0);
}

/* Between the limits of a bucket, percentiles must rise evenly. */
TEST(bucket_is_interpolated)
{
	for (u64 ns = 1024; ns < 1088; ns++)
		add(ns);
	EXPECT_NEAR(percentile(0.5), 1024 + 0.5 * 63, 1e-9);
	EXPECT_EQ(percentile(0), 1024);
	EXPECT_EQ(percentile(1), 1087);
}

/* The last bucket has no upper limit. If it has several values, only the largest one is known, from
 * the maximum. */
TEST(longer_than_the_last_bucket)
{
	u64 hours = 5 * 3600 * 1000000000ULL;

	add(hours);
	EXPECT_EQ(percentile(1), hours);
	EXPECT_EQ(percentile(0.5), hours);
	add(2 * hours);
	EXPECT_TRUE(isnan(percentile(0.5)));
	EXPECT_EQ(percentile(0.51), 2 * hours);
	add(1000);
	EXPECT_NEAR(percentile(0.3), 1000, 1000 / 16.0);
	EXPECT_TRUE(isnan(hist_percentile_ns(hist, 1, HIST_UNKNOWN_NS)));
}

/* If all latencies in the last bucket are near its lower limit, percentiles must be exact to
 * 1/16. */
TEST(shortest_times_of_the_last_bucket)
{
	u64 first = hist_floor_ns(HIST_BUCKETS - 1);

	add(first);
	add(first + first / 16);
	EXPECT_NEAR(percentile(0.5), first, first / 16);
}

TEST(times_of_all_lengths)
{
	static u64 times[64];

	for (int i = 0; i < 64; i++)
		add(times[i] = (1ULL << i) - (i > 5));
	for (int i = 0; i < 64; i++) {
		double p = percentile((i + 1) / 64.0);

		EXPECT_EQ(isnan(p), times[i] >= hist_floor_ns(HIST_BUCKETS - 1) && i < 63);
		if (!isnan(p))
			EXPECT_NEAR(p, times[i], times[i] / 16);
	}
}

/* A reader may see the update of a bucket before the update of the maximum. Even then, a percentile
 * must not exceed the maximum. */
TEST(never_above_the_maximum)
{
	add(1000);
	EXPECT_EQ(hist_percentile_ns(hist, 0.5, 900), 900);
	EXPECT_EQ(hist_percentile_ns(hist, 1, 0), 0);
}

TEST(share_out_of_range_is_clamped)
{
	add(10);
	add(20);
	EXPECT_EQ(percentile(-1), percentile(0));
	EXPECT_EQ(percentile(2), percentile(1));
}

static int compare(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

TEST(percentiles_of_many_are_within_a_bucket)
{
	enum { N = 20011 };
	static const double shares[] = { 0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1 };
	static u64 times[N];

	srand48(1);
	for (int i = 0; i < N; i++) {
		times[i] = pow(10, 2 + 6 * drand48());
		add(times[i]);
	}
	qsort(times, N, sizeof(*times), compare);
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		double exact = times[(int)ceil(shares[i] * N) - 1];

		EXPECT_NEAR(percentile(shares[i]), exact, exact / 16);
	}
}

TEST_MAIN
