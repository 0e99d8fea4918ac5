// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests struct cover, which computes T of a trace: the length of the union of all accesses, in
 * whatever order they arrive. A part is an interval of the union. cover_settle() passes on the
 * parts until a given time as final. */
#include <stdlib.h>
#include "user/metric/span.h"
#include "tests/unit/made-sets.h"

/* The intervals of the union (parts) that cover_settle() passed to take(). They must be in order,
 * with gaps between them. Two parts may touch only at .cut, where cover_settle() has cut a part
 * into two. */
struct handed {
	char mark[1 << 20];
	u64 sum, until, cut;
	bool in_order;
	u32 parts;
};

static void take(void *arg, u64 start, u64 end)
{
	struct handed *h = arg;

	h->in_order &= start < end && end <= sizeof(h->mark) &&
		(start > h->until || start == h->cut || !h->parts);
	if (h->in_order)
		memset(h->mark + start, 1, end - start);
	h->sum += end - start;
	h->until = end;
	h->parts++;
}

static bool marks_are(const char *mark, const struct set *s)
{
	static char wanted[1 << 20];

	memset(wanted, 0, s->length);
	for (u32 i = 0; i < s->n; i++)
		memset(wanted + s->in[i].start, 1, s->in[i].end - s->in[i].start);
	return !memcmp(wanted, mark, s->length);
}

/* Adds the intervals of @s. After every @step intervals, calls cover_settle(), which passes on the
 * parts of the union that no later interval can change. Returns true if T equals the reference. */
static bool holds(const struct set *s, u32 step)
{
	static struct handed h;
	struct cover c = {};
	bool good;

	memset(h.mark, 0, s->length);
	h.sum = h.until = h.cut = h.parts = 0;
	h.in_order = true;
	for (u32 i = 0; i < s->n; i++) {
		cover_add(&c, s->in[i].start, s->in[i].end);
		if (step && i % step == 0) {
			cover_settle(&c, bound(s, i + 1), take, &h);
			h.cut = bound(s, i + 1);
		}
	}
	good = cover_total_ns(&c) == covered_ns(s->in, s->n, s->length);
	cover_settle(&c, ~0ULL, take, &h);
	good &= cover_total_ns(&c) == h.sum && h.in_order && !c.late && c.first == c.n &&
		marks_are(h.mark, s) && c.settled_ns == h.sum;
	cover_release(&c);
	return good;
}

TEST(random_sets)
{
	static struct set s;
	u32 rounds = test_rounds(1000000);

	state = SEED;
	for (u32 round = 0; round < rounds; round++) {
		set_make(&s, round);
		arrange(&s, round % 3 ? below(4) : s.n);
		if (!holds(&s, s.n < 10 ? below(4) : 0)) {
			printf("seed %d, set %u of %u\n", SEED, round, s.n);
			for (u32 i = 0; i < s.n; i++)
				printf(" %lu-%lu", s.in[i].start, s.in[i].end);
			ASSERT_TRUE(false);
		}
	}
}

/* A reader of a trace calls cover_settle() after each batch of accesses. Here, the batches have
 * random sizes. */
TEST(large_sets_in_batches)
{
	check_large(200, holds);
}

static u64 cover(struct set *s)
{
	struct cover c = {};
	u64 sum;

	for (u32 i = 0; i < s->n; i++)
		cover_add(&c, s->base + s->in[i].start, s->base + s->in[i].end);
	sum = cover_total_ns(&c);
	cover_release(&c);
	return sum;
}

TEST(reference_vectors)
{
	check_vectors(cover);
}

/* cover_settle() cuts a part of the union that extends beyond its time limit. A later call must
 * pass on the remaining time of that part. */
TEST(cut_parts_go_on)
{
	static struct handed h;
	struct cover c = {};

	h.in_order = true;
	cover_add(&c, 10, 20);
	cover_settle(&c, 15, take, &h);
	EXPECT_EQ(h.sum, 5);
	h.cut = 15;
	cover_add(&c, 15, 30);
	cover_settle(&c, 15, take, &h);
	EXPECT_EQ(h.parts, 1);
	cover_settle(&c, 40, take, &h);
	EXPECT_EQ(h.parts, 2);
	EXPECT_EQ(h.sum, 20);
	EXPECT_TRUE(h.in_order);
	cover_release(&c);
}

/* If an interval starts before the time limit of an earlier cover_settle(), only its time after
 * that limit is added to T. The interval must be reported as late. */
TEST(late_intervals_are_cut_and_counted)
{
	struct cover c = {};

	cover_add(&c, 10, 20);
	cover_settle(&c, 100, NULL, NULL);
	cover_add(&c, 50, 90);
	cover_add(&c, 90, 110);
	cover_add(&c, 60, 60);
	EXPECT_EQ(c.late, 2);
	EXPECT_EQ(cover_total_ns(&c), 20);
	cover_release(&c);
}

/* Only the parts of the union that later intervals may change need memory. So the memory must not
 * grow with the length of the trace. */
TEST(memory_is_bounded)
{
	struct cover c = {};

	for (u64 i = 0; i < 10000000; i++) {
		cover_add(&c, 3 * i, 3 * i + 2);
		if (i % 1000 == 0)
			cover_settle(&c, 3 * i, NULL, NULL);
	}
	EXPECT_EQ(cover_total_ns(&c), 20000000);
	EXPECT_LE(c.room, 4096);
	cover_release(&c);
}

TEST_MAIN
