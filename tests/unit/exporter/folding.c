// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the folding of cgroups. If the exporter's document has too many series, the exporter folds
 * cgroups: it removes their series, and adds their later I/O to a common total. */
#include <stdio.h>

#include "tests/unit/exporter/made-exporter.h"

#define FOLDED "iospan_folded_accesses_total{layer=\"device\"}"

/* Adds @n cgroups with 32 series each. The tests set a limit of 1,000 series, so 31 cgroups fit. */
static void add_many(unsigned n, u64 more)
{
	for (unsigned i = 0; i < n; i++) {
		char path[40];

		snprintf(path, sizeof(path), "/g%02u", i);
		add(100 + i, path, 10 + i + more, 100 + i + more);
	}
}

/* If the series exceed the limit, the exporter folds the smallest cgroups: it removes their series,
 * and adds their later I/O to a common total. Their earlier I/O is not in the total. */
TEST(the_smallest_are_folded)
{
	struct exporter *e = exporter_with(10, 1000);

	at(1);
	add_many(30, 0);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, STATE("folded")), 0);
	EXPECT_EQ(value(e, GROUP("/g00", "100")), 10);
	at(2);
	add_many(40, 0);
	exporter_update(e, &made.m);
	/* Folding stops when at most 7/8 of the 1000 series are in use. Each cgroup has 32 series,
	 * so 27 cgroups remain. */
	EXPECT_EQ(value(e, STATE("folded")), 13);
	EXPECT_EQ(value(e, STATE("live")), 27);
	EXPECT_EQ(value(e, GROUP("/g12", "112")), -1);
	EXPECT_EQ(value(e, GROUP("/g13", "113")), 23);
	EXPECT_EQ(value(e, FOLDED), 0);
	at(3);
	add_many(40, 1000);
	made.groups[0].device.row.bytes = 1 << 30;
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, FOLDED), 13 * 1000);
	EXPECT_EQ(value(e, GROUP("/g00", "100")), -1);
	EXPECT_EQ(value(e, "iospan_folded_cgroups_total"), 13);
	at(4);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, FOLDED), 13 * 1000);
	EXPECT_EQ(value(e, STATE("folded")), 0);
	EXPECT_EQ(value(e, STATE("removed")), 27);
	exporter_free(e);
}

/* A cgroup that the filter does not select has no series, so it does not count against the
 * limit. */
TEST(groups_that_are_not_selected_are_not_folded)
{
	const struct exporter_limits limits = { .keep_ns = 10 * S,
						.max_series = 1000,
						.cgroup = "g0*,/g39" };
	struct exporter *e = exporter_new(1 << LAYER_DEVICE, &limits);

	at(1);
	add_many(40, 0);
	exporter_update(e, &made.m);
	at(2);
	add_many(40, 0);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, STATE("folded")), 0);
	EXPECT_EQ(value(e, STATE("live")), 11);
	EXPECT_EQ(value(e, GROUP("/g10", "110")), -1);
	EXPECT_EQ(value(e, GROUP("/g39", "139")), 49);
	exporter_free(e);
}

/* The tracer reports a removed cgroup for up to a minute. Removed cgroups must be folded before
 * existing ones, even if the removed cgroups have more bytes. */
TEST(kept_removed_groups_are_folded_before_running_ones)
{
	struct exporter *e = exporter_with(10, 1000);

	at(1);
	add(7, "/running", 3, 1);
	add_many(40, 0);
	for (unsigned i = 1; i <= 40; i++)
		made.groups[i].removed = true;
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, STATE("folded")), 14);
	EXPECT_EQ(value(e, STATE("live")), 1);
	EXPECT_EQ(value(e, GROUP("/running", "7")), 3);
	exporter_free(e);
}

/* When the series of removed cgroups end, there is room for other series. A folded cgroup then gets
 * its series back. Its counter must include the I/O that it did while it was folded. This I/O must
 * also stay in the total of folded cgroups. */
TEST(a_folded_group_gets_its_series_back)
{
	struct exporter *e = exporter_with(10, 1000);
	long long first = 0;

	for (int s = 1; s <= 30; s++) {
		/* /g03 to /g39 exist from 2 s to 5 s; their series stay for 10 s more */
		bool folded = s >= 2 && s < 16;

		at(s);
		add(7, "/small", 3 * s, 1);
		add_many(s >= 2 && s < 5 ? 40 : 3, 0);
		exporter_update(e, &made.m);
		EXPECT_EQ(value(e, GROUP("/small", "7")), folded ? -1 : 3 * s);
		if (s == 2)
			first = value(e, FOLDED);
		if (s >= 2)
			EXPECT_EQ(value(e, FOLDED), first + 3 * ((s < 15 ? s : 15) - 2));
	}
	EXPECT_EQ(value(e, STATE("folded")), 0);
	exporter_free(e);
}

/* Removed cgroups are folded first. Some of them were never in the document. All accesses of such a
 * cgroup must be added to the total of folded cgroups. */
TEST(removed_groups_are_folded_first)
{
	struct exporter *e = exporter_with(10, 1000);

	at(1);
	add_many(30, 0);
	exporter_update(e, &made.m);
	at(2);
	for (unsigned i = 0; i < 20; i++) {
		char path[40];

		snprintf(path, sizeof(path), "/h%02u", i);
		add(200 + i, path, 1, 1);
	}
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, STATE("folded")), 0);
	EXPECT_EQ(value(e, STATE("live")), 20);
	EXPECT_EQ(value(e, STATE("removed")), 7);
	at(3);
	add_many(90, 0);
	exporter_update(e, &made.m);
	EXPECT_EQ(value(e, STATE("removed")), 0);
	EXPECT_GT(value(e, FOLDED), 0);
	exporter_free(e);
}

/* The counters of a cgroup include those of the cgroups below it. So if both are folded, only the
 * upper cgroup may be added to the total of folded cgroups. */
TEST(folded_groups_count_once)
{
	struct exporter *e = exporter_with(10, 1000);

	for (unsigned s = 1; s <= 3; s++) {
		u64 more = s == 3 ? 7 : 0;

		at(s);
		add(2, "/0", 1 + more, 1);
		add(3, "/0/1", 1 + more, 1);
		add(4, "/0/1/2", 1 + more, 1);
		add(5, "/00", 1 + more, 1);
		add_many(s == 1 ? 20 : 40, 0);
		exporter_update(e, &made.m);
	}
	EXPECT_EQ(value(e, GROUP("/0", "2")), -1);
	EXPECT_EQ(value(e, GROUP("/00", "5")), -1);
	EXPECT_EQ(value(e, FOLDED), 2 * 7);
	exporter_free(e);
}

TEST_MAIN
