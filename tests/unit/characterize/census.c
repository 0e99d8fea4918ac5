// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the search for the most common values. */
#include <stdlib.h>
#include "tools/characterize/census.h"
#include "tests/lib/harness.h"

/* Returns a different value for each @i. In a hash of few bits, many of these values collide. */
static u64 value(u32 i)
{
	return (u64)i << (i % 3 * 20) | i % 5;
}

TEST(the_most_frequent_come_first)
{
	static u64 counts[5000];
	struct counted top[4];
	struct census c = {};

	for (u32 i = 0; i < 200000; i++) {
		u32 n = (u64)i * 7919 % 5000;

		n = n * n / 5000; /* squaring a random fraction makes low values more frequent */
		counts[n]++;
		census_add(&c, value(n) + ((u64)n << 50));
	}
	ASSERT_EQ(census_top(&c, top, 4), 4);
	for (int k = 0; k < 4; k++) {
		u32 most = 0;

		for (u32 n = 0; n < 5000; n++)
			if (counts[n] > counts[most] ||
			    (counts[n] == counts[most] && counts[n] &&
			     value(n) + ((u64)n << 50) < value(most) + ((u64)most << 50)))
				most = n;
		EXPECT_EQ(top[k].value, value(most) + ((u64)most << 50));
		EXPECT_EQ(top[k].count, counts[most]);
		counts[most] = 0;
	}
	EXPECT_EQ(c.others, 0);
	census_release(&c);
}

TEST(memory_has_an_end)
{
	struct census c = {};
	struct counted top;

	EXPECT_EQ(census_top(&c, &top, 1), 0);
	for (u64 i = 0; i < CENSUS_VALUES + 1000; i++)
		census_add(&c, i * 4096);
	census_add(&c, 4096);
	census_add(&c, CENSUS_VALUES * 4096ULL);
	EXPECT_EQ(c.others, 1001);
	ASSERT_EQ(census_top(&c, &top, 1), 1);
	EXPECT_EQ(top.value, 4096);
	EXPECT_EQ(top.count, 2);
	census_release(&c);
}

TEST_MAIN
