// SPDX-License-Identifier: GPL-2.0-or-later
/* Intervals are cut out of what was counted in all: if these fail, what lies between the cuts
 * does not add up to the whole, or a disk or group has what another did. */
#include <stdlib.h>
#include <string.h>

#include "../../user/interval.h"
#include "../harness.h"

static struct sum counted(u64 accesses, u64 span_ns)
{
	struct sum s = { .row = { .accesses = accesses, .bytes = accesses * 512,
				  .timed = accesses }, .span_ns = span_ns, .has_span = true };

	s.row.hist[7] = accesses;
	return s;
}

/* What was counted up to @ns: @disks and @groups of them, each with @n accesses and T @t. */
static struct measurement *until(u64 ns, unsigned disks, unsigned groups, u64 n, u64 t)
{
	struct measurement *m = calloc(1, sizeof(*m));

	m->begin_ns = 1000;
	m->elapsed_ns = ns - 1000;
	m->layers[LAYER_DEVICE] = counted(n * disks, t);
	m->vfs_device_ns = 2 * t;
	m->losses[0] = (struct loss){ "completions", "text", n };
	m->disks = calloc(disks + 1, sizeof(*m->disks));
	m->disks_n = disks;
	for (unsigned i = 0; i < disks; i++) {
		snprintf(m->disks[i].name, sizeof(m->disks[i].name), "disk%u", i);
		m->disks[i].all = m->disks[i].ops[OP_READ] = counted(n, t);
	}
	m->groups = calloc(groups + 1, sizeof(*m->groups));
	m->groups_n = groups;
	for (unsigned i = 0; i < groups; i++) {
		char path[] = "/a";

		path[1] += i;
		m->groups[i] = (struct group_sum){ .id = 10 + i, .path = strdup(path),
						   .device = counted(n, t) };
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
	struct measurement *now = until(5000, 2, 2, 100, 900);
	struct measurement *m = since(now, until(2000, 2, 2, 30, 200));

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
	ASSERT_EQ(m->groups_n, 2);
	EXPECT_STR(m->groups[1].path, "/b");
	EXPECT_EQ(m->groups[1].id, 11);
	EXPECT_EQ(m->groups[1].device.row.accesses, 70);
	EXPECT_EQ(m->groups[1].device.span_ns, 700);
	measurement_free(m);
	measurement_free(now);
}

/* Between those that were there, too: groups are in the order of their paths. */
TEST(new_disks_and_groups_have_all_that_they_did)
{
	struct measurement *now = until(5000, 3, 3, 100, 900);
	struct measurement *before = until(2000, 1, 3, 30, 200), *m;

	free(before->groups[1].path);	/* /b is new */
	before->groups[1] = before->groups[2];
	before->groups_n = 2;
	m = since(now, before);
	ASSERT_EQ(m->disks_n, 3);
	EXPECT_EQ(m->disks[0].all.row.accesses, 70);
	EXPECT_EQ(m->disks[1].all.row.accesses, 100);
	EXPECT_EQ(m->disks[2].all.span_ns, 900);
	ASSERT_EQ(m->groups_n, 3);
	EXPECT_EQ(m->groups[0].device.row.accesses, 70);
	EXPECT_EQ(m->groups[1].device.row.accesses, 100);
	EXPECT_EQ(m->groups[2].device.row.accesses, 70);
	measurement_free(m);
	measurement_free(now);
}

/* A container that is made again has the same path. */
TEST(groups_of_one_path_are_told_apart)
{
	struct measurement *now = until(5000, 1, 2, 100, 900), *m;

	strcpy(now->groups[1].path, "/a");
	m = since(now, until(2000, 1, 1, 30, 200));
	ASSERT_EQ(m->groups_n, 2);
	EXPECT_EQ(m->groups[0].device.row.accesses, 70);
	EXPECT_EQ(m->groups[1].device.row.accesses, 100);
	measurement_free(m);
	measurement_free(now);
}

TEST(who_did_nothing_is_left_out)
{
	struct measurement *now = until(5000, 3, 3, 30, 200), *m;

	now->disks[1].ops[OP_FLUSH].row.accesses++;	/* no read and no write */
	now->groups[2].device.span_ns++;		/* in flight, not over */
	m = since(now, until(2000, 3, 3, 30, 200));
	ASSERT_EQ(m->disks_n, 1);
	EXPECT_STR(m->disks[0].name, "disk1");
	ASSERT_EQ(m->groups_n, 1);
	EXPECT_STR(m->groups[0].path, "/c");
	EXPECT_EQ(m->groups[0].device.span_ns, 1);
	measurement_free(m);
	measurement_free(now);
}

/* Whoever may make groups may call them anything. */
TEST(names_that_look_alike_are_others)
{
	struct group_sum below = { .path = "/a/x", .id = 1 }, odd = { .path = "/a\x01x", .id = 2 };
	struct group_sum own = { .path = "/a", .id = 3 }, after = { .path = "/a-", .id = 4 };

	EXPECT_LT(group_order(&own, &below), 0);
	EXPECT_LT(group_order(&below, &odd), 0);
	EXPECT_LT(group_order(&odd, &after), 0);
	EXPECT_GT(group_order(&odd, &below), 0);
}

/* It ended between two reads of its row: it is in the sum, in no bucket. */
TEST(a_row_may_be_read_in_the_middle)
{
	struct sum now = counted(5, 100), before = counted(4, 50);

	before.row.hist[7] = 5;
	sum_take_away(&now, &before);
	EXPECT_EQ(now.row.timed, 1);
	EXPECT_EQ(now.row.max_ns, 0);
}

TEST_MAIN
