// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the stream of a load: the sequence of requests of one process. The process accesses its own
 * part of the target. A unit is the alignment of offsets and sizes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bench/load/stream.h"
#include "user/base/err.h"
#include "tests/lib/harness.h"

#define N 1000000

struct seen {
	double mean, cv, read, seq;
	u64 lowest, end;
	u64 off_grid; /* number of requests with an unaligned offset or size */
};

static struct seen look(const struct stream_spec *spec, u64 number, u64 part)
{
	struct seen seen = { .lowest = ~0ULL };
	double sum = 0, squares = 0;
	struct stream s;
	u64 last = 0;

	stream_init(&s, spec, number, part);
	for (int i = 0; i < N; i++) {
		u64 offset;
		u32 bytes;
		bool write;

		stream_next(&s, &offset, &bytes, &write);
		sum += bytes;
		squares += (double)bytes * bytes;
		seen.read += !write;
		seen.seq += offset == last;
		seen.off_grid += offset % spec->align || bytes % spec->align || !bytes;
		last = offset + bytes;
		seen.lowest = offset < seen.lowest ? offset : seen.lowest;
		seen.end = last > seen.end ? last : seen.end;
	}
	seen.mean = sum / N;
	seen.cv = sqrt(fmax(0, squares / N - seen.mean * seen.mean)) / seen.mean;
	seen.read /= N;
	seen.seq /= N;
	return seen;
}

static void expect_share(double seen, double asked)
{
	EXPECT_TRUE(fabs(seen - asked) <= 0.01 * asked);
}

static const struct stream_spec plain = {
	.unique_bytes = 64 << 20,
	.align = 4096,
	.size = 8192,
	.read = 0.3,
	.seq = 0.4,
	.seed = 7,
};

TEST(fractions_and_footprint_are_as_specified)
{
	struct seen s = look(&plain, 0, 0);

	expect_share(s.mean, 8192);
	expect_share(s.read, 0.3);
	expect_share(s.seq, 0.4);
	EXPECT_EQ(s.off_grid, 0);
	EXPECT_EQ(s.lowest, 0);
	EXPECT_EQ(s.end, 64 << 20);
}

TEST(fractions_of_0_and_1_are_exact)
{
	struct stream_spec spec = plain;

	spec.read = spec.seq = 1;
	EXPECT_TRUE(look(&spec, 0, 0).read == 1);
	spec.read = spec.seq = 0;
	EXPECT_TRUE(look(&spec, 0, 0).read == 0);
	/* some random offsets are consecutive by chance */
	EXPECT_LE(look(&spec, 0, 0).seq, 0.0001);
}

/* Each process has its own part of the target. At the end of the part, sequential requests must go
 * on at its start. */
TEST(parts_do_not_overlap)
{
	struct stream_spec spec = plain;
	struct seen s;

	spec.unique_bytes = 3 * 8192;
	spec.seq = 1;
	s = look(&spec, 5, 2);
	EXPECT_EQ(s.lowest, 2 * 3 * 8192);
	EXPECT_EQ(s.end, 3 * 3 * 8192);
}

TEST(equal_seeds_give_equal_requests_per_process)
{
	struct stream a, b, c;
	u64 same = 0, other = 0;

	stream_init(&a, &plain, 3, 0);
	stream_init(&b, &plain, 3, 0);
	stream_init(&c, &plain, 4, 0);
	for (int i = 0; i < 1000; i++) {
		u64 x = stream_random(&a);

		same += x == stream_random(&b);
		other += x == stream_random(&c);
	}
	EXPECT_EQ(same, 1000);
	EXPECT_EQ(other, 0);
}

static struct size_table table;

/* The sizes have a normal distribution with the mean 1 and the deviation 1 / 0.6075, in which
 * negative values become 0. This makes the coefficient of variation 1, and the mean 1.2743. Of the
 * resulting values, 27.18 % are 0, and 43.37 % exceed the new mean. */
TEST(normal_sizes)
{
	struct stream_spec spec = plain;
	u64 least = 0, above_mean = 0;

	spec.align = 1;
	spec.size = 65536;
	sizes_normal(&table, spec.size);
	for (int i = 0; i < STREAM_SIZES; i++) {
		least += table.units[i] == 1;
		above_mean += table.units[i] > spec.size;
	}
	expect_share(least / (double)STREAM_SIZES, 0.2718);
	expect_share(above_mean / (double)STREAM_SIZES, 0.4337);
	EXPECT_LE(table.most, STREAM_NORMAL_MOST * spec.size);
}

/* The requests of a stream must have the specified mean size, and a coefficient of variation
 * of 1. */
TEST(normal_sizes_have_mean_and_variation_1)
{
	static const u64 units[] = { 1, 512 };

	for (int i = 0; i < 2; i++) {
		for (u64 mean = 4096; mean <= 1 << 20; mean *= 4) {
			struct stream_spec spec = plain;
			struct seen s;

			spec.align = units[i];
			spec.sizes = &table;
			sizes_normal(&table, (double)mean / spec.align);
			s = look(&spec, 0, 0);
			expect_share(s.mean, mean);
			expect_share(s.cv, 1);
			expect_share(table.cv, s.cv);
			EXPECT_EQ(s.off_grid, 0);
		}
	}
}

/* Sizes are whole units. If the mean size is only a few units, rounding makes the coefficient of
 * variation (cv) smaller than 1. */
TEST(normal_sizes_in_coarse_units)
{
	static const double least[] = { 0, 0.85, 0.94, 0.98 };

	for (int mean = 1; mean <= 4; mean++) {
		sizes_normal(&table, mean);
		expect_share(table.mean, mean);
		EXPECT_TRUE(table.cv >= least[mean - 1] && table.cv <= 1);
		EXPECT_LE(table.most, STREAM_NORMAL_MOST * mean);
	}
	sizes_normal(&table, 1);
	EXPECT_TRUE(table.cv == 0);
}

TEST(exponential_sizes)
{
	struct stream_spec spec = plain;
	struct seen s;

	spec.align = 512;
	sizes_exponential(&table, 128);
	spec.sizes = &table;
	s = look(&spec, 0, 0);
	expect_share(s.mean, 65536);
	expect_share(s.cv, 1);
}

/* Sizes are at least one unit. Rounding up must not change the mean. */
TEST(small_means_keep_their_mean)
{
	for (double mean = 1.2; mean < 6; mean *= 1.7) {
		sizes_normal(&table, mean);
		expect_share(table.mean, mean);
		sizes_exponential(&table, mean);
		expect_share(table.mean, mean);
	}
}

#define TINY "0.00000000000000000000000000000000000000000001"
#define LARGE "9999999999999999999999999999999999999999999999"

/* The smallest and the largest weight that sizes_list() reads must not underflow or overflow when
 * they are added. */
TEST(list_of_sizes)
{
	struct stream_spec spec = plain;

	ASSERT_EQ(sizes_list(&table, "4k:60,64k:30,1M:10", 4096), 0);
	spec.sizes = &table;
	expect_share(look(&spec, 0, 0).mean, 0.6 * 4096 + 0.3 * 65536 + 0.1 * 1048576);
	ASSERT_EQ(sizes_list(&table, "8k", 4096), 0);
	EXPECT_EQ(table.most, 2);
	EXPECT_TRUE(table.cv == 0);
	for (const char *const *l = (const char *const[]){ "4k:" TINY ",12k:" TINY,
							   "4k:" LARGE ",12k:" LARGE, NULL };
	     *l; l++) {
		ASSERT_EQ(sizes_list(&table, *l, 4096), 0);
		EXPECT_TRUE(table.mean == 2 && table.cv == 0.5);
	}
}

TEST(bad_lists_are_refused)
{
	for (const char *const *l =
		     (const char *const[]){ "", "4k:", "4k:0", "4k,,8k", "5000", "4k:60;8k", "2G",
					    ",4k", "4k:-1", "4k:1e-300", "4k:0" TINY, NULL };
	     *l; l++)
		EXPECT_EQ(sizes_list(&table, *l, 4096), -EUSAGE);
}

/* By Zipf's law, the probability of the offset with rank k must be proportional to k^-1.2. */
TEST(popular_places)
{
	enum { PLACES = 1024 };
	const struct stream_spec spec = { .unique_bytes = PLACES * 4096,
					  .align = 4096,
					  .size = 4096,
					  .zipf = 1.2,
					  .seed = 7 };
	static u64 seen[PLACES];
	struct stream s;
	double all = 0;

	stream_init(&s, &spec, 0, 0);
	for (int i = 0; i < N; i++) {
		u64 offset;
		u32 bytes;
		bool write;

		stream_next(&s, &offset, &bytes, &write);
		seen[offset / 4096]++;
	}
	for (int k = 1; k <= PLACES; k++)
		all += pow(k, -1.2);
	for (int k = 1; k <= 10; k++) {
		double share = seen[(k - 1) * s.zipf.stride % PLACES] / (double)N;

		EXPECT_TRUE(fabs(share - pow(k, -1.2) / all) < 0.002);
	}
	for (int i = 0; i < PLACES; i++)
		EXPECT_GT(seen[i], 0);
}

TEST_MAIN
