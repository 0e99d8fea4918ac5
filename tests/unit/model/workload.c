// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests how workloads are read from options and results, written, and made at random. Each
 * parameter of a workload has an axis, the range of its values. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "bench/model/workload.h"
#include "tests/lib/harness.h"

static void expect_value(enum parameter p, const char *text, double value)
{
	double v = NAN;

	EXPECT_EQ(parameter_parse(p, text, &v), 0);
	EXPECT_EQ(v, value);
}

static void expect_refused(enum parameter p, const char *text, int err)
{
	double v = 4711;

	EXPECT_EQ(parameter_parse(p, text, &v), err);
	EXPECT_EQ(v, 4711);
}

TEST(options_are_read_by_their_kind)
{
	expect_value(PARAM_UNIQUE_BYTES, "256M", 256 << 20);
	expect_value(PARAM_SIZE, "4k", 4096);
	expect_value(PARAM_SIZE, "94572057", 94572057);
	expect_value(PARAM_READ, "67%", 0.67);
	expect_value(PARAM_READ, "0", 0);
	expect_value(PARAM_SEQ, "1", 1);
	expect_value(PARAM_PROCS, "12", 12);
	expect_refused(PARAM_SIZE, "0", -ERANGE);
	expect_refused(PARAM_PROCS, "0", -ERANGE);
	expect_refused(PARAM_PROCS, "4k", -EINVAL);
	expect_refused(PARAM_SEQ, "1.5", -ERANGE);
	expect_refused(PARAM_READ, "-0.5", -EINVAL);
	expect_refused(PARAM_READ, "nan", -EINVAL);
	expect_refused(PARAM_SIZE, "16E", -ERANGE);
}

static enum parameter read_text(const char *text, struct workload *w)
{
	struct out *doc = out_parse(text, strlen(text));
	enum parameter p = workload_read(doc, w);

	ASSERT_TRUE(doc != NULL);
	out_free(doc);
	return p;
}

TEST(an_invalid_parameter_is_named)
{
	struct workload w;

	EXPECT_EQ(read_text("{\"unique_bytes\": 8192, \"size_bytes\": 512, \"read_fraction\": 0, "
			    "\"sequential_fraction\": 1,"
			    "\"process_count\": 3}",
			    &w),
		  PARAMETERS);
	EXPECT_EQ(w.v[PARAM_UNIQUE_BYTES], 8192);
	EXPECT_EQ(w.v[PARAM_SEQ], 1);
	EXPECT_EQ(w.v[PARAM_PROCS], 3);
	EXPECT_EQ(w.v[PARAM_DEPTH], 1);
	EXPECT_EQ(read_text("{}", &w), PARAM_UNIQUE_BYTES);
	EXPECT_EQ(read_text("{\"unique_bytes\": 8192}", &w), PARAM_SIZE);
	EXPECT_EQ(read_text("{\"unique_bytes\": \"8192\"}", &w), PARAM_UNIQUE_BYTES);
	EXPECT_EQ(
		read_text("{\"unique_bytes\": 1, \"size_bytes\": 512, \"read_fraction\": 1.1}", &w),
		PARAM_READ);
	EXPECT_EQ(read_text("{\"unique_bytes\": 1, \"size_bytes\": 512, \"read_fraction\": 1, "
			    "\"sequential_fraction\": 1,"
			    "\"process_count\": 1, \"depth\": 0}",
			    &w),
		  PARAM_DEPTH);
	EXPECT_EQ(read_text("[]", &w), PARAM_UNIQUE_BYTES);
}

TEST(json_is_read_back)
{
	struct workload w = { { 1e9, 4096, 0.25, 1.0 / 3, 7, 2 } }, back;
	struct out *o = workload_json(&w);

	EXPECT_EQ(workload_read(o, &back), PARAMETERS);
	EXPECT_EQ(memcmp(&w, &back, sizeof(w)), 0);
	out_free(o);
}

TEST(text_has_all_parameters)
{
	struct workload w = { { 256 << 20, 16384, 0.675, 0.5, 4, 1 } };
	char text[WORKLOAD_TEXT];

	EXPECT_STR(workload_text(text, &w),
		   "256 MiB, requests of 16.0 KiB, 67.5 % read, "
		   "50 % sequential, 4 processes, depth 1");
}

#define N 4000

static const struct range ranges[PARAMETERS] = {
	{ 1 << 30, 1ULL << 40 }, { 4096, 1 << 20 }, { 0, 1 }, { 0.25, 0.75 }, { 1, 64 }, { 1, 1 },
};

/* Each quarter of an axis must get a quarter of the workloads, within five standard deviations. */
TEST(random_workloads_are_uniform_over_the_axes)
{
	struct workload *w = workloads_random(ranges, HUGE_VAL, N, 1);
	double deviations = 5 * sqrt(N * 0.25 * 0.75);

	for (enum parameter p = 0; p < PARAM_PROCS; p++) {
		bool share = p == PARAM_READ || p == PARAM_SEQ;
		double low = ranges[p].min, high = ranges[p].max;
		unsigned quarters[4] = {};

		for (unsigned i = 0; i < N; i++) {
			double v = w[i].v[p],
			       at = share ? (v - low) / (high - low) :
					    log2(v / low) / log2(high / low);

			ASSERT_TRUE(v >= low && v <= high);
			EXPECT_TRUE(share || fmod(v, 4096) == 0);
			quarters[at < 1 ? (int)(4 * at) : 3]++;
		}
		for (int i = 0; i < 4 && p != PARAM_SIZE; i++)
			EXPECT_NEAR(quarters[i], N / 4.0, deviations);
	}
	for (unsigned i = 0; i < N; i++) {
		EXPECT_EQ(w[i].v[PARAM_PROCS], trunc(w[i].v[PARAM_PROCS]));
		EXPECT_EQ(w[i].v[PARAM_DEPTH], 1);
	}
	free(w);
}

/* If two parameters rose together, nobody could see which has an effect. */
TEST(random_parameters_are_independent)
{
	struct workload *w = workloads_random(ranges, HUGE_VAL, N, 7);
	unsigned both = 0;

	for (unsigned i = 0; i < N; i++)
		both += w[i].v[PARAM_READ] < 0.5 && w[i].v[PARAM_SEQ] < 0.5;
	EXPECT_NEAR(both, N / 4.0, 5 * sqrt(N * 0.25 * 0.75));
	free(w);
}

/* Random workloads must be possible: each process has data for its largest request, and the buffers
 * fit in memory. */
TEST(random_workloads_are_possible)
{
	static const struct range tight[PARAMETERS] = {
		{ 1 << 20, 1 << 25 }, { 4096, 1 << 20 }, { 0, 1 }, { 0, 1 }, { 1, 16 }, { 1, 1 },
	}, none[PARAMETERS] = {
		{ 8192, 8192 }, { 4096, 1 << 20 }, { 0, 1 }, { 0, 1 }, { 1, 16 }, { 1, 1 },
	};
	struct workload *w = workloads_random(tight, 1 << 22, N, 1);

	for (unsigned i = 0; i < N; i++) {
		const double *v = w[i].v, least = 4 * v[PARAM_SIZE] * v[PARAM_PROCS];

		EXPECT_LE(least, v[PARAM_UNIQUE_BYTES]);
		EXPECT_LE(least, 1 << 22);
	}
	free(w);
	w = workloads_random(none, HUGE_VAL, 3, 1);
	EXPECT_EQ(w[2].v[PARAM_SIZE], 4096);
	EXPECT_EQ(w[2].v[PARAM_PROCS], 1);
	free(w);
}

TEST(equal_seeds_draw_equal_workloads)
{
	struct workload *a = workloads_random(ranges, HUGE_VAL, 50, 3),
			*b = workloads_random(ranges, HUGE_VAL, 50, 3);
	struct workload *c = workloads_random(ranges, HUGE_VAL, 50, 4);

	EXPECT_EQ(memcmp(a, b, 50 * sizeof(*a)), 0);
	EXPECT_NE(memcmp(a, c, 50 * sizeof(*a)), 0);
	free(a);
	free(b);
	free(c);
}

TEST_MAIN
