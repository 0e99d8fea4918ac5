// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares all metrics with values computed by hand. T is the time in which any access is in
 * flight. BPS is the number of blocks of 512 bytes per second of T. */
#include <math.h>
#include <string.h>
#include "user/base/out-read.h"
#include "user/metric/metric.h"
#include "user/base/num.h"
#include "tests/lib/harness.h"

static double value(const char *key, const struct sum *s)
{
	return metric_value(s, key);
}

/* Figure 2 of the paper, in ns. R1 [1,4), R2 [2,5) and R3 [3,6) overlap, and R4 is [7,8). So T = 5
 * + 1. Each request has 2 KiB, and one failed. The measurement took 10 ns. */
static struct sum figure2(void)
{
	struct sum s = {
		.row = {
			.accesses = 4, .bytes = 4 * 2048, .errors = 1,
			.timed = 4, .latency_ns = 3 + 3 + 3 + 1, .max_ns = 3,
			.queued = 2, .queued_ns = 30,
		},
		.span_ns = 6, .elapsed_ns = 10, .has_span = true,
	};

	s.row.hist[1] = 1;
	s.row.hist[3] = 3;
	return s;
}

TEST(keys_are_the_documented_ones_in_order)
{
	static const char *const keys[] = {
		"accesses",
		"bytes",
		"errors",
		"span_ns",
		"wait_span_ns",
		"bps",
		"iops",
		"bandwidth_bytes_per_second",
		"latency_mean_ns",
		"latency_p50_ns",
		"latency_p90_ns",
		"latency_p95_ns",
		"latency_p99_ns",
		"latency_p999_ns",
		"latency_max_ns",
		"concurrency",
		"busy_fraction",
		"blocks",
		"latency_sum_ns",
		"queue_mean_ns",
		"queued",
		"span_repaired_fraction",
		NULL,
	};
	size_t i;

	for (i = 0; metrics[i].key && keys[i]; i++) {
		EXPECT_STR(metrics[i].key, keys[i]);
		EXPECT_TRUE(metrics[i].title && metrics[i].help && metrics[i].value);
	}
	EXPECT_TRUE(!metrics[i].key && !keys[i]);
}

TEST(figure_2_of_the_paper)
{
	struct sum s = figure2();

	EXPECT_EQ(value("accesses", &s), 4);
	EXPECT_EQ(value("bytes", &s), 8192);
	EXPECT_EQ(value("errors", &s), 1);
	EXPECT_EQ(value("span_ns", &s), 6);
	EXPECT_EQ(value("blocks", &s), 16);
	EXPECT_NEAR(value("bps", &s), 16 / 6e-9, 1e-3);
	EXPECT_NEAR(value("iops", &s), 4 / 10e-9, 1e-3);
	EXPECT_NEAR(value("bandwidth_bytes_per_second", &s), 8192 / 10e-9, 1e-3);
	EXPECT_EQ(value("latency_mean_ns", &s), 2.5);
	for (int i = 9; i < 15; i++) /* percentiles and maximum */
		EXPECT_EQ(metrics[i].value(&s), 3);
	EXPECT_NEAR(value("concurrency", &s), 10 / 6.0, 1e-12);
	EXPECT_NEAR(value("busy_fraction", &s), 0.6, 1e-12);
	EXPECT_EQ(value("latency_sum_ns", &s), 10);
	EXPECT_EQ(value("queue_mean_ns", &s), 15);
	EXPECT_EQ(value("queued", &s), 2);
}

/* BPS is bytes / 512 per second. So 700 bytes are 1.37 blocks, not 2. */
TEST(blocks_are_not_rounded_up)
{
	struct sum s = { .row = { .accesses = 1, .bytes = 700 },
			 .span_ns = 1000000000,
			 .has_span = true };

	EXPECT_EQ(value("blocks", &s), 700 / 512.0);
	EXPECT_EQ(value("bps", &s), 700 / 512.0);
}

/* NAN of math.h is a float. In `known ? ns : NAN`, it would make the integer a float, which loses
 * digits. nan.h must prevent that. */
TEST(integer_beside_nan_keeps_its_digits)
{
	volatile bool known = true;
	u64 ns = 448922573;

	EXPECT_EQ(known ? ns : NAN, 448922573.0);
	EXPECT_EQ(known ? ns : INFINITY, 448922573.0);
}

TEST(numbers_keep_their_last_digit)
{
	struct sum s = figure2();

	s.span_ns = s.row.max_ns = s.row.latency_ns = (1ULL << 52) + 1;
	EXPECT_EQ(value("span_ns", &s), 4503599627370497.0);
	EXPECT_EQ(value("latency_max_ns", &s), 4503599627370497.0);
	EXPECT_EQ(value("latency_sum_ns", &s), 4503599627370497.0);
}

/* Without accesses, numbers of accesses and bytes are 0, but quotients such as the mean latency are
 * undefined. */
TEST(nothing_is_not_zero)
{
	static const char *const undefined[] = { "bps",
						 "latency_mean_ns",
						 "latency_p50_ns",
						 "latency_p95_ns",
						 "latency_p99_ns",
						 "latency_p999_ns",
						 "latency_max_ns",
						 "concurrency",
						 "queue_mean_ns" };
	struct sum s = { .elapsed_ns = 1000, .has_span = true };

	for (size_t i = 0; i < sizeof(undefined) / sizeof(*undefined); i++)
		EXPECT_TRUE(isnan(value(undefined[i], &s)));
	EXPECT_EQ(value("accesses", &s), 0);
	EXPECT_EQ(value("span_ns", &s), 0);
	EXPECT_EQ(value("iops", &s), 0);
	EXPECT_EQ(value("busy_fraction", &s), 0);
	EXPECT_EQ(value("latency_sum_ns", &s), 0);
	s.elapsed_ns = 0;
	EXPECT_TRUE(isnan(value("iops", &s)));
	EXPECT_TRUE(isnan(value("busy_fraction", &s)));
	EXPECT_TRUE(isnan(value("bandwidth_bytes_per_second", &s)));
}

/* If all accesses have length 0, T is 0. A rate over T must then be undefined, not infinite. */
TEST(no_time_has_no_rate)
{
	struct sum s = figure2();

	s.span_ns = 0;
	EXPECT_TRUE(isnan(value("bps", &s)));
	EXPECT_TRUE(isnan(value("concurrency", &s)));
	EXPECT_EQ(value("span_ns", &s), 0);
}

TEST(no_span_hides_what_follows_from_it)
{
	struct sum s = figure2();

	s.has_span = false;
	EXPECT_TRUE(isnan(value("span_ns", &s)));
	EXPECT_TRUE(isnan(value("bps", &s)));
	EXPECT_TRUE(isnan(value("concurrency", &s)));
	EXPECT_TRUE(isnan(value("busy_fraction", &s)));
	EXPECT_EQ(value("latency_mean_ns", &s), 2.5);
	EXPECT_EQ(value("blocks", &s), 16);
}

/* An access with a lost completion has no latency. If no access has a latency, the mean is
 * undefined. */
TEST(untimed_accesses_are_not_in_the_mean)
{
	struct sum s = figure2();

	s.row.accesses = 5;
	EXPECT_EQ(value("latency_mean_ns", &s), 2.5);
	EXPECT_NEAR(value("iops", &s), 5 / 10e-9, 1e-3);
	memset(&s.row, 0, sizeof(s.row));
	s.row.accesses = 2;
	EXPECT_TRUE(isnan(value("latency_mean_ns", &s)));
	EXPECT_TRUE(isnan(value("latency_max_ns", &s)));
	EXPECT_TRUE(isnan(value("latency_sum_ns", &s)));
	EXPECT_TRUE(isnan(value("concurrency", &s)));
}

/* T is the length of a union, so it cannot be added. sum_add_row() must not change it. */
TEST(sum_adds_all_but_the_span)
{
	struct sum s = figure2();
	struct row other = { .accesses = 2,
			     .bytes = 10,
			     .errors = 1,
			     .timed = 1,
			     .latency_ns = 9,
			     .max_ns = 9,
			     .queued = 1,
			     .queued_ns = 5 };

	other.hist[9] = 1;
	other.hist[HIST_BUCKETS - 1] = 1;
	sum_add_row(&s, &other);
	EXPECT_EQ(s.row.accesses, 6);
	EXPECT_EQ(s.row.bytes, 8202);
	EXPECT_EQ(s.row.errors, 2);
	EXPECT_EQ(s.row.timed, 5);
	EXPECT_EQ(s.row.latency_ns, 19);
	EXPECT_EQ(s.row.max_ns, 9);
	EXPECT_EQ(s.row.queued, 3);
	EXPECT_EQ(s.row.queued_ns, 35);
	EXPECT_EQ(s.row.hist[3], 3);
	EXPECT_EQ(s.row.hist[9], 1);
	EXPECT_EQ(s.row.hist[HIST_BUCKETS - 1], 1);
	EXPECT_EQ(s.span_ns, 6);
	EXPECT_EQ(s.elapsed_ns, 10);
	other.max_ns = 1;
	sum_add_row(&s, &other);
	EXPECT_EQ(s.row.max_ns, 9);
}

/* Sums of huge values must not wrap: a failed call may have requested 2^64 - 1 bytes. */
TEST(sums_do_not_wrap_at_64_bits)
{
	static struct row one = { .accesses = 1,
				  .timed = 1,
				  .queued = 1,
				  .bytes = UINT64_MAX,
				  .latency_ns = UINT64_MAX,
				  .queued_ns = UINT64_MAX };
	struct sum s = { .span_ns = UINT64_MAX, .elapsed_ns = 1000000000, .has_span = true };

	for (int i = 0; i < 3; i++)
		sum_add_row(&s, &one);
	row_add(&s.row, UINT64_MAX, UINT64_MAX);
	EXPECT_EQ(value("bytes", &s), 0x1p66);
	EXPECT_EQ(value("latency_sum_ns", &s), 0x1p66);
	EXPECT_EQ(value("latency_mean_ns", &s), 0x1p64);
	EXPECT_EQ(value("concurrency", &s), 4);
	EXPECT_EQ(value("queue_mean_ns", &s), 0x1p64);
	EXPECT_EQ(value("bandwidth_bytes_per_second", &s), 0x1p66);
}

/* Above 2^53, a double loses the last digit of an integer. In ns, that is 104 days. */
TEST(integers_keep_all_of_their_digits)
{
	static const char *const keys[] = { "accesses",	      "bytes",		"errors", "span_ns",
					    "latency_max_ns", "latency_sum_ns", "queued" };
	u64 n = (1ULL << 53) + 1, seen;
	struct sum s = {
		.row = { .accesses = n,
			 .bytes = n,
			 .errors = n,
			 .timed = n,
			 .latency_ns = n,
			 .max_ns = n,
			 .queued = n },
		.span_ns = n,
		.has_span = true,
	};
	struct out *o = sum_json(&s);

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		EXPECT_TRUE(out_get_u64(o, keys[i], &seen) && seen == n);
	out_free(o);
}

/* Subtracts an earlier sum from a later one. The longest access (9 ns) is in the earlier sum. The
 * later accesses took up to 3 ns, so the maximum of the difference must be 3 ns. */
TEST(what_was_before_is_taken_away)
{
	struct row before = {
		.accesses = 2,
		.bytes = 10,
		.errors = 1,
		.timed = 1,
		.latency_ns = 9,
		.max_ns = 9,
		.queued = 1,
		.queued_ns = 5,
	};
	struct sum s = figure2(), old = { .row = before, .span_ns = 4 }, since;

	old.row.hist[9] = 1;
	sum_add_row(&s, &old.row);
	s.span_ns += 4;
	since = s;
	sum_take_away(&since, &old);
	EXPECT_EQ(since.row.accesses, 4);
	EXPECT_EQ(since.row.bytes, 4 * 2048);
	EXPECT_EQ(since.row.errors, 1);
	EXPECT_EQ(since.row.timed, 4);
	EXPECT_EQ(since.row.latency_ns, 10);
	EXPECT_EQ(since.row.queued, 2);
	EXPECT_EQ(since.row.queued_ns, 30);
	EXPECT_EQ(since.row.hist[3], 3);
	EXPECT_EQ(since.row.hist[9], 0);
	EXPECT_EQ(since.row.max_ns, 3);
	EXPECT_EQ(since.span_ns, 6);
	EXPECT_EQ(since.elapsed_ns, 10);
	sum_take_away(&s, &s);
	EXPECT_EQ(s.row.max_ns, 0);
}

/* All latencies above 2^40 ns are in one bucket of the histogram, and only their maximum is known.
 * If the longest access ended before the interval, the maximum of the interval is unknown. */
TEST(longest_since_then_may_be_unknown)
{
	struct sum before = {}, now = {}, since;

	row_add(&before.row, 1, 1ULL << 50);
	sum_add_row(&now, &before.row);
	row_add(&now.row, 1, 1ULL << 45);
	since = now;
	sum_take_away(&since, &before);
	EXPECT_EQ(value("latency_sum_ns", &since), 0x1p45);
	EXPECT_TRUE(isnan(value("latency_max_ns", &since)));
	EXPECT_TRUE(isnan(value("latency_p50_ns", &since)));
	row_add(&now.row, 1, 1ULL << 51);
	sum_take_away(&now, &before);
	EXPECT_EQ(value("latency_max_ns", &now), 0x1p51);
}

static const char *plain(const char *key, const struct sum *s)
{
	static char buf[NUM_TEXT];

	return metric_plain_text(buf, metric_named(key), metric_value(s, key));
}

/* In columns for programs, such as CSV, the title has the unit, so it must not vary by value. */
TEST(plain_text_has_one_unit)
{
	struct sum s = {
		.row = { .accesses = 123456, .bytes = 5 << 20, .timed = 2, .latency_ns = 3000 },
		.span_ns = 1234567890,
		.elapsed_ns = 2000000000,
		.has_span = true
	};

	EXPECT_STR(plain("accesses", &s), "123456");
	EXPECT_STR(plain("bytes", &s), "5242880");
	EXPECT_STR(plain("span_ns", &s), "1234.568");
	EXPECT_STR(plain("latency_mean_ns", &s), "0.002");
	EXPECT_STR(plain("iops", &s), "61728.0");
	EXPECT_STR(plain("bandwidth_bytes_per_second", &s), "2.50");
	EXPECT_STR(plain("busy_fraction", &s), "0.617");
	EXPECT_STR(plain("queue_mean_ns", &s), "-");
	EXPECT_STR(metric_unit(metric_named("span_ns")), "ms");
	EXPECT_STR(metric_unit(metric_named("bytes")), "");
}

TEST(text_has_the_unit_of_its_kind)
{
	struct sum s = figure2(), none = { .elapsed_ns = 1 };
	char buf[NUM_TEXT];

	EXPECT_STR(metric_text(buf, metric_named("accesses"), &s), "4");
	EXPECT_STR(metric_text(buf, metric_named("bytes"), &s), "8.00 KiB");
	EXPECT_STR(metric_text(buf, metric_named("span_ns"), &s), "6 ns");
	EXPECT_STR(metric_text(buf, metric_named("bps"), &s), "2.667G");
	EXPECT_STR(metric_text(buf, metric_named("bandwidth_bytes_per_second"), &s), "763 GiB/s");
	EXPECT_STR(metric_text(buf, metric_named("busy_fraction"), &s), "0.600");
	EXPECT_STR(metric_text(buf, metric_named("bps"), &none), "-");
	none.elapsed_ns = 0;
	EXPECT_STR(metric_text(buf, metric_named("bandwidth_bytes_per_second"), &none), "-");
}

/* If the completion of an access was lost, the repair estimates its end. iospan reports an upper
 * limit for the part of T that comes from such estimates. This limit may exceed T, but the reported
 * fraction must not exceed 1. */
TEST(repaired_part_of_the_span)
{
	struct sum s = figure2(), none = { .elapsed_ns = 1, .has_repaired = true };
	char buf[NUM_TEXT];

	EXPECT_TRUE(isnan(value("span_repaired_fraction", &s)));
	EXPECT_TRUE(isnan(value("span_repaired_fraction", &none)));
	s.has_repaired = true;
	EXPECT_EQ(value("span_repaired_fraction", &s), 0);
	EXPECT_STR(metric_text(buf, metric_named("span_ns"), &s), "6 ns");
	s.repaired_ns = 3;
	EXPECT_EQ(value("span_repaired_fraction", &s), 0.5);
	EXPECT_STR(metric_text(buf, metric_named("span_ns"), &s), "~6 ns");
	EXPECT_EQ(value("concurrency", &s), (value("latency_sum_ns", &s) + 3) / 6);
	s.repaired_ns = 20;
	EXPECT_EQ(value("span_repaired_fraction", &s), 1);
	EXPECT_STR(metric_text(buf, metric_named("span_ns"), &s), "~6 ns");
}

TEST_MAIN
