// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests when a measurement ends. */
#include <stdlib.h>
#include "bench/load/watch.h"
#include "tests/lib/harness.h"

#define MS 1000000ULL

/* Runs a load of 10 ms with 2 requests per second. So its first request is due only after the end
 * of the load. */
static struct load_result late_start(u64 least)
{
	static struct load_spec spec = {
		.stream = { .unique_bytes = 1 << 20,
			    .size = 4096,
			    .align = 4096,
			    .read = 1,
			    .seed = 1 },
		.engine = &engine_null,
		.procs = 1,
		.depth = 1,
		.batch = 1,
		.rate = 2,
		.poisson = true,
	};
	struct watch_options how = {
		.time_ns = 10 * MS,
		.round_ns = 5 * MS,
		.silent = true,
		.least = least,
		.signals = -1,
	};
	struct load_result r = {};
	int fd = -1;

	EXPECT_EQ(watch_whole_load(&spec, &fd, 1, &how, NULL, &r), 0);
	free(r.rounds.rate);
	return r;
}

TEST(a_measurement_has_at_least_one_request)
{
	struct load_result r = late_start(1);

	EXPECT_GE(r.all.row.accesses, 1);
	EXPECT_GT(r.all.elapsed_ns, 10 * MS);
	EXPECT_EQ(r.end, END_TIME);
}

/* A load without a minimum number of requests must end on time, even if no request was due. */
TEST(a_load_without_a_minimum_needs_no_request)
{
	EXPECT_EQ(late_start(0).end, END_TIME);
}

TEST_MAIN
