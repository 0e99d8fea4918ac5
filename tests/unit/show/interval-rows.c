// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the order in which `iospan stat` shows disks and cgroups, and the sum of those that it does
 * not show. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/harness.h"
#include "user/base/err.h"
#include "user/show/interval-select.h"

static struct group_sum groups[5];
static struct disk_sum disks[4];
static struct measurement m = { .groups = groups, .disks = disks };

static void add_group(char *path, unsigned device, unsigned vfs)
{
	struct group_sum *g = &groups[m.groups_n++];

	*g = (struct group_sum){ .path = path };
	for (unsigned i = 0; i < device; i++)
		row_add(&g->device.row, 512, 1000);
	for (unsigned i = 0; i < vfs; i++)
		row_add(&g->vfs.row, 512, 1000);
}

static void add_disk(const char *name, unsigned accesses, bool stacked)
{
	struct disk_sum *d = &disks[m.disks_n++];

	*d = (struct disk_sum){ .stacked = stacked };
	strcpy(d->name, name);
	for (unsigned i = 0; i < accesses; i++)
		row_add(&d->all.row, 512, 1000 * (i + 1));
}

static void make(void)
{
	add_group("/", 20, 3);
	add_group("/a", 5, 1);
	add_group("/a/b", 4, 0);
	add_group("/c", 0, 6);
	add_group("/d", 7, 0);
	add_disk("sdb", 0, false);
	add_disk("sda10", 3, false);
	add_disk("dm-0", 9, true);
	add_disk("sda9", 5, false);
}

#define EXPECT_ORDER(list, name, ...) \
	do { \
		static const char *const expected[] = { __VA_ARGS__ }; \
\
		for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) \
			EXPECT_STR(list[i].name, expected[i]); \
	} while (0)

TEST(the_largest_comes_first)
{
	make();
	interval_sort(&(struct sort_column){ .metric = metric_named("accesses") }, &m);
	EXPECT_ORDER(groups, path, "/", "/d", "/c", "/a", "/a/b");
	EXPECT_ORDER(disks, name, "dm-0", "sda9", "sda10", "sdb");
}

TEST(rows_without_a_value_come_last)
{
	make();
	interval_sort(&(struct sort_column){ .metric = metric_named(KEY_LATENCY_MEAN) }, &m);
	EXPECT_ORDER(disks, name, "dm-0", "sda9", "sda10", "sdb");
}

/* --sort accepts each column of the cgroups' table: its title, its title with the unit, or its key
 * in JSON. Cgroups without a value in this column come last. */
TEST(groups_are_sorted_by_their_columns)
{
	static const char *const words[] = { "PSI some", "psi some(ms)", "psi_some_ns",
					     "psi_some" };
	struct sort_column sort;

	make();
	groups[2].pressure = (struct pressure){ .has_psi = true, .some_ns = 5 };
	groups[3].pressure = (struct pressure){ .has_psi = true, .some_ns = 7 };
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		ASSERT_EQ(sort_column_named(&sort, words[i]), 0);
		interval_sort(&sort, &m);
		EXPECT_ORDER(groups, path, "/c", "/a/b", "/", "/a", "/d");
	}
	for (const struct group_column *c = group_columns; c->path; c++) {
		EXPECT_EQ(sort_column_named(&sort, strchr(c->path, '.') + 1), 0);
		EXPECT_TRUE(sort.of_group == c && !sort.metric);
	}
	EXPECT_EQ(sort_column_named(&sort, "T(ms)"), 0);
	EXPECT_TRUE(sort.metric == metric_named("span_ns"));
	EXPECT_EQ(sort_column_named(&sort, "T(s)"), -EUSAGE);
}

TEST(names_are_in_the_order_of_their_numbers)
{
	make();
	interval_sort(&(struct sort_column){ .metric = metric_named("accesses") }, &m);
	interval_sort(&(struct sort_column){}, &m);
	EXPECT_ORDER(groups, path, "/", "/a", "/a/b", "/c", "/d");
	EXPECT_ORDER(disks, name, "dm-0", "sda9", "sda10", "sdb");
}

TEST(a_group_includes_those_below_it)
{
	struct group_sum rest;

	make();
	rest = interval_rest_of_groups(&m, 1);
	EXPECT_EQ(rest.device.row.accesses, 5 + 7);
	EXPECT_EQ(rest.vfs.row.accesses, 1 + 6);
	EXPECT_TRUE(!rest.device.has_span);
	rest = interval_rest_of_groups(&m, 0);
	EXPECT_EQ(rest.device.row.accesses, 20);
	rest = interval_rest_of_groups(&m, 5);
	EXPECT_EQ(rest.device.row.accesses, 0);
}

TEST(a_stacked_disk_is_in_no_sum)
{
	struct sum rest;

	make();
	EXPECT_EQ(interval_rest_of_disks(&m, 1, &rest), 2);
	EXPECT_EQ(rest.row.accesses, 3 + 5);
	EXPECT_TRUE(!rest.has_span);
}

TEST_MAIN
