// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests two sums over the disks of a cgroup. One is the time in which the cgroup uses a disk. The
 * other is the part of this time in which other cgroups use the disk too. */
#include <math.h>
#include "tests/lib/harness.h"
#include "user/metric/measurement.h"

/* Two disks, and a stacked disk (such as device-mapper), which no sum includes. */
static struct disk_share shares[] = {
	{ .dev = 1, .is_known = true, .span_ns = 1000, .shared_ns = 200 },
	{ .dev = 2, .is_known = true, .span_ns = 3000, .shared_ns = 800 },
	{ .dev = 3, .is_known = true, .stacked = true, .span_ns = 50, .shared_ns = 50 },
};

static struct group_sum made(void)
{
	struct group_sum g = { .shares = shares, .shares_n = 3 };

	for (int i = 0; i < 4; i++)
		row_add(&g.device.row, 512, i ? 100 : 500);
	row_add(&g.shared.row, 512, 500);
	return g;
}

TEST(times_and_accesses_of_all_disks_add_up)
{
	struct group_sum g = made();
	struct disk_sharing s = group_sharing(&g);
	struct sum alone, shared;

	EXPECT_TRUE(s.is_known);
	EXPECT_EQ(s.span_ns, 4000);
	EXPECT_EQ(s.shared_ns, 1000);
	EXPECT_TRUE(group_shared_fraction(&g) == 0.25);
	EXPECT_TRUE(group_slowdown(&g) == 5);
	sharing_sums(&g, &s, &alone, &shared);
	EXPECT_EQ(alone.row.accesses, 3);
	EXPECT_EQ(alone.span_ns, 3000);
	EXPECT_EQ(shared.row.accesses, 1);
	EXPECT_EQ(shared.span_ns, 1000);
}

TEST(no_slowdown_without_accesses_of_both_kinds)
{
	struct group_sum g = made();

	g.shared = g.device;
	EXPECT_TRUE(isnan(group_slowdown(&g)));
	g.shared = (struct sum){};
	EXPECT_TRUE(isnan(group_slowdown(&g)));
}

TEST(one_unknown_disk_makes_the_sum_unknown)
{
	struct group_sum g = made();

	shares[1].is_known = false;
	EXPECT_TRUE(!group_sharing(&g).is_known);
	EXPECT_TRUE(isnan(group_shared_fraction(&g)));
	EXPECT_TRUE(isnan(group_slowdown(&g)));
	shares[1].is_known = true;
}

TEST(a_group_without_a_disk_of_its_own_shares_nothing)
{
	struct group_sum g = made();

	g.shares += 2;
	g.shares_n = 1;
	EXPECT_TRUE(!group_sharing(&g).is_known);
	g.shares_n = 0;
	EXPECT_TRUE(isnan(group_shared_fraction(&g)));
}

TEST_MAIN
