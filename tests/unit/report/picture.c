// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the plots of a trace: grids of points, and timelines. A grid counts the points in each
 * cell, by time (columns) and offset (rows). A timeline has sums for slices of the time. */
#include <stdlib.h>
#include "tools/report/grid.h"
#include "tools/report/timeline.h"
#include "tests/lib/harness.h"

#define MANY 20000

struct point {
	u64 ns, value;
};

static struct point points[MANY];

static u64 rnd(u64 n)
{
	static u64 state = 1993;

	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dULL >> 20) % n;
}

static void expect_points(const struct grid *g, u32 n)
{
	u32 *cells = calloc(g->columns * g->rows, sizeof(*cells));

	for (u32 i = 0; i < n; i++) {
		u64 column = (points[i].ns - g->begin_ns) / g->width_ns;
		u64 row = (points[i].value - g->low) / g->height;

		ASSERT_TRUE(points[i].value >= g->low);
		ASSERT_TRUE(column < g->columns && row < g->rows);
		cells[column * g->rows + row]++;
	}
	for (u32 c = 0; c < g->columns; c++)
		for (u32 row = 0; row < g->rows; row++)
			ASSERT_EQ(grid_cell(g, c, row), cells[c * g->rows + row]);
	free(cells);
}

static void fill(struct grid *g, u64 step_ns, u64 (*value)(u32 i))
{
	u64 now = 1000;

	grid_init(g, 1000, 64, true);
	for (u32 i = 0; i < MANY; i++) {
		points[i] = (struct point){ now, value(i) };
		grid_add(g, now, points[i].value);
		now += rnd(step_ns);
		if (i == 10 || i == 1000)
			expect_points(g, i + 1);
	}
	expect_points(g, MANY);
	grid_narrow(g, 24, 1, 10);
	EXPECT_LE(g->columns, 24);
	EXPECT_LE((g->last - g->low) / g->height + 1, 10);
	expect_points(g, MANY);
	grid_release(g);
}

static u64 anywhere(u32 i)
{
	return rnd(1ULL << (1 + rnd(60)));
}

static u64 forth(u32 i)
{
	return 777 + i * 4096ULL;
}

static u64 back(u32 i)
{
	return (1ULL << 50) + (MANY - i) * 4096ULL;
}

static u64 far_away(u32 i)
{
	return ~0ULL - rnd(1 << 20);
}

TEST(all_values_have_their_cell)
{
	struct grid g;

	fill(&g, 3, anywhere);
	fill(&g, 100000, anywhere);
	fill(&g, 1ULL << 40, forth);
	fill(&g, 1000, back);
	fill(&g, 1000, far_away);
}

/* Whether offsets ascend or descend, at least half of the rows of the grid must be used. */
TEST(rows_are_not_wasted)
{
	static u64 (*const values[])(u32 i) = { forth, back };

	for (int k = 0; k < 2; k++) {
		struct grid g;

		grid_init(&g, 0, 256, true);
		for (u32 i = 0; i < MANY; i++)
			grid_add(&g, i, values[k](i));
		EXPECT_GE((g.last - g.first) / g.height, 256 / 2 - 2);
		grid_release(&g);
	}
}

/* A full timeline doubles the width of its slices. Each wide slice must be the sum of the narrow
 * ones in its time. */
TEST(wide_slices_are_sums_of_narrow_ones)
{
	struct timeline wide, narrow;
	u64 now = 500;

	timeline_init(&wide, 500, 1, 32, true);
	timeline_init(&narrow, 500, 1, 1 << 20, false);
	for (u32 i = 0; i < 1000; i++) {
		u64 start = now + rnd(50), end = start + rnd(300);

		now = start;
		timeline_end(&wide, end)->accesses++;
		timeline_end(&narrow, end)->accesses++;
		timeline_flight(&wide, start, end);
		timeline_flight(&narrow, start, end);
		timeline_span(&wide, start, end);
		timeline_span(&narrow, start, end);
	}
	timeline_finish(&wide);
	timeline_finish(&narrow);
	EXPECT_LE(wide.n, 32);
	EXPECT_GE(wide.n, 16);
	for (u32 i = 0; i < wide.n; i++) {
		struct slice sum = {};

		for (u64 k = i * wide.width_ns; k < (i + 1) * wide.width_ns && k < narrow.n; k++)
			slice_add(&sum, &narrow.slices[k]);
		EXPECT_EQ(wide.slices[i].accesses, sum.accesses);
		EXPECT_EQ(wide.slices[i].flight_ns, sum.flight_ns);
		EXPECT_EQ(wide.slices[i].span_ns, sum.span_ns);
	}
	timeline_release(&wide);
	timeline_release(&narrow);
}

TEST_MAIN
