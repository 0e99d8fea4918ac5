// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests intervals of `iospan stat`: each is the difference of two totals. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/kernel/interval.h"
#include "tests/lib/harness.h"
#include "user/metric/measurement.h"

static struct sum counted(u64 accesses, u64 span_ns)
{
	struct sum s = {
		.row = { .accesses = accesses, .bytes = accesses * 512, .timed = accesses },
		.span_ns = span_ns,
		.has_span = true
	};

	s.row.hist[7] = accesses;
	return s;
}

static struct measurement *until(u64 ns, unsigned disks, u64 n, u64 t)
{
	struct measurement *m = calloc(1, sizeof(*m));

	m->begin_ns = 1000;
	m->elapsed_ns = ns - 1000;
	m->layers[LAYER_DEVICE] = counted(n * disks, t);
	m->vfs_device_ns = 2 * t;
	m->losses[0] = (struct loss){ "completions", n };
	m->disks = calloc(disks + 1, sizeof(*m->disks));
	m->disks_n = disks;
	for (unsigned i = 0; i < disks; i++) {
		snprintf(m->disks[i].name, sizeof(m->disks[i].name), "disk%u", i);
		m->disks[i].all = m->disks[i].ops[OP_READ] = counted(n, t);
	}
	return m;
}

static struct measurement *since(const struct measurement *now, struct measurement *before)
{
	struct measurement *m = measurement_since(now, before);

	measurement_free(before);
	return m;
}

TEST(an_interval_has_what_came_in_it)
{
	struct measurement *now = until(5000, 2, 100, 900);
	struct measurement *m = since(now, until(2000, 2, 30, 200));

	EXPECT_EQ(m->begin_ns, 2000);
	EXPECT_EQ(m->elapsed_ns, 3000);
	EXPECT_EQ(m->layers[LAYER_DEVICE].row.accesses, 140);
	EXPECT_EQ(m->layers[LAYER_DEVICE].span_ns, 700);
	EXPECT_EQ(m->layers[LAYER_DEVICE].elapsed_ns, 3000);
	EXPECT_EQ(m->vfs_device_ns, 1400);
	EXPECT_EQ(m->losses[0].n, 70);
	ASSERT_EQ(m->disks_n, 2);
	EXPECT_STR(m->disks[1].name, "disk1");
	EXPECT_EQ(m->disks[1].all.row.bytes, 70 * 512);
	EXPECT_EQ(m->disks[1].all.elapsed_ns, 3000);
	EXPECT_EQ(m->disks[1].ops[OP_READ].span_ns, 700);
	EXPECT_EQ(m->disks[1].ops[OP_READ].row.hist[7], 70);
	measurement_free(m);
	measurement_free(now);
}

TEST(new_disks_have_all_that_they_did)
{
	struct measurement *now = until(5000, 3, 100, 900);
	struct measurement *m = since(now, until(2000, 1, 30, 200));

	ASSERT_EQ(m->disks_n, 3);
	EXPECT_EQ(m->disks[0].all.row.accesses, 70);
	EXPECT_EQ(m->disks[1].all.row.accesses, 100);
	EXPECT_EQ(m->disks[2].all.span_ns, 900);
	measurement_free(m);
	measurement_free(now);
}

TEST(who_did_nothing_is_left_out)
{
	struct measurement *now = until(5000, 3, 30, 200), *m;

	/* the second disk has only a flush, which is neither a read nor a write */
	now->disks[1].ops[OP_FLUSH].row.accesses++;
	m = since(now, until(2000, 3, 30, 200));
	ASSERT_EQ(m->disks_n, 1);
	EXPECT_STR(m->disks[0].name, "disk1");
	measurement_free(m);
	measurement_free(now);
}

/* A user may create cgroups with names that differ only slightly. They must not be confused. */
TEST(names_that_look_alike_are_others)
{
	EXPECT_LT(group_path_order("/a", "/a/x"), 0);
	EXPECT_LT(group_path_order("/a/x", "/a\x01x"), 0);
	EXPECT_LT(group_path_order("/a\x01x", "/a-"), 0);
	EXPECT_GT(group_path_order("/a\x01x", "/a/x"), 0);
	EXPECT_EQ(group_path_order("/a", "/a"), 0);
}

/* If an interval has one access, its latency is known from the sum of latencies. All percentiles
 * and the maximum must equal this latency. */
TEST(one_access_in_an_interval_is_exact)
{
	static const char *const keys[] = { "latency_mean_ns", "latency_p50_ns", "latency_p99_ns",
					    "latency_max_ns" };
	struct sum before = {}, now;

	row_add(&before.row, 512, 6500);
	now = before;
	row_add(&now.row, 512, 1000);
	sum_take_away(&now, &before);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		EXPECT_EQ(metric_value(&now, keys[i]), 1000);
}

/* An access may end while iospan reads the counters. Then the number of accesses may include this
 * access, although the histogram does not include it yet. */
TEST(a_row_may_be_read_in_the_middle)
{
	struct sum now = counted(5, 100), before = counted(4, 50);

	before.row.hist[7] = 5;
	sum_take_away(&now, &before);
	EXPECT_EQ(now.row.timed, 1);
	EXPECT_EQ(now.row.max_ns, 0);
}

TEST_MAIN
