// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the column of `iospan top` that shows the last intervals of a disk or cgroup as
 * characters. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/harness.h"
#include "user/top/history.h"

static struct history h;
static struct disk_sum disks[2] = { { .dev = 7 }, { .dev = 3 } };
static struct group_sum groups[1] = { { .id = 7, .path = "/a" } };

/* Adds an interval of 1000 ns. The two disks and the cgroup were busy for these percentages of
 * it. */
static void add(unsigned first, unsigned second, unsigned group)
{
	struct measurement m = { .disks = disks, .disks_n = 2, .groups = groups, .groups_n = 1 };

	sum_set_span(&disks[0].all, first * 10, 1000);
	sum_set_span(&disks[1].all, second * 10, 1000);
	sum_set_span(&groups[0].device, group * 10, 1000);
	history_add(&h, &m, LAYER_DEVICE);
}

#define EXPECT_TEXT(text, expected) \
	do { \
		char *seen = text; \
\
		EXPECT_STR(seen, expected); \
		free(seen); \
	} while (0)

TEST(each_row_has_its_own)
{
	add(100, 0, 50);
	add(1, 25, 0);
	add(0, 130, 13);
	EXPECT_TEXT(history_text(&h, &disks[0], NULL, 5, true), "  #. ");
	EXPECT_TEXT(history_text(&h, &disks[1], NULL, 3, true), " :#");
	EXPECT_TEXT(history_text(&h, NULL, &groups[0], 4, true), " = :");
	EXPECT_TEXT(history_text(&h, &disks[0], NULL, 3, false), "\u2588\u2581 ");
	EXPECT_TEXT(history_text(&h, &disks[0], NULL, 1, true), " ");
	history_release(&h);
}

TEST(an_unknown_row_is_blank)
{
	struct group_sum others = {};
	struct disk_sum none = { .dev = 9 };

	EXPECT_TEXT(history_text(&h, &none, NULL, 3, true), "   ");
	add(100, 100, 100);
	EXPECT_TEXT(history_text(&h, &none, NULL, 3, true), "   ");
	EXPECT_TEXT(history_text(&h, NULL, &others, 3, true), "   ");
	history_release(&h);
}

TEST(old_intervals_are_forgotten)
{
	add(100, 100, 100);
	for (int i = 1; i < HISTORY; i++)
		add(0, 100, 0);
	EXPECT_EQ(h.n, 3);
	add(0, 100, 0);
	EXPECT_EQ(h.n, 1);
	EXPECT_TEXT(history_text(&h, &disks[1], NULL, 2, true), "##");
	EXPECT_TEXT(history_text(&h, &disks[0], NULL, 2, true), "  ");
	history_release(&h);
}

TEST_MAIN
