// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests how `iospan report` computes T, the length of the union of all accesses, from batches. A
 * list has the union of some accesses, as intervals in order. Lists are merged into one.
 * cover_settle() passes on the union until a given time as final. */
#include <stdlib.h>
#include "tools/report/gather.h"
#include "tests/unit/made-sets.h"

static bool is_list(const struct parts *l)
{
	for (u32 i = 0; i < l->n; i++)
		if (l->at[i].start_ns >= l->at[i].end_ns ||
		    (i && l->at[i].start_ns <= l->at[i - 1].end_ns))
			return false;
	return true;
}

/* Adds the set in batches of @batch intervals. Divides each batch at random between two lists, and
 * merges the lists. Returns true if T equals the reference. */
static bool holds(const struct set *s, u32 batch)
{
	struct gather lists[2] = {};
	struct cover all = {};
	bool good = true;

	for (u32 from = 0; from < s->n; from += batch) {
		u32 end = from + batch < s->n ? from + batch : s->n;
		struct parts both = {};

		cover_settle(&all, bound(s, from), NULL, NULL);
		gather_begin(&lists[0]);
		gather_begin(&lists[1]);
		for (u32 i = from; i < end; i++)
			gather_add(&lists[below(2)], s->in[i].start, s->in[i].end);
		parts_merge(&both, gather_end(&lists[0]), gather_end(&lists[1]));
		good &= is_list(&lists[0].list) && is_list(&lists[1].list) && is_list(&both);
		cover_add_parts(&all, &both);
		parts_release(&both);
	}
	good &= cover_total_ns(&all) == covered_ns(s->in, s->n, s->length) && !all.late;
	gather_release(&lists[0]);
	gather_release(&lists[1]);
	cover_release(&all);
	return good;
}

TEST(random_sets_in_random_batches)
{
	static struct set s;

	state = SEED;
	for (u32 round = 0; round < 100000; round++) {
		set_make(&s, round);
		arrange(&s, round % 3 ? below(4) : s.n);
		ASSERT_TRUE(holds(&s, 1 + below(1 + s.n)));
	}
}

TEST(large_sets)
{
	check_large(100, holds);
}

static u64 gathered(struct set *s)
{
	struct gather g = {};
	struct cover c = {};
	u64 sum;

	gather_begin(&g);
	for (u32 i = 0; i < s->n; i++)
		gather_add(&g, s->base + s->in[i].start, s->base + s->in[i].end);
	cover_add_parts(&c, gather_end(&g));
	sum = cover_total_ns(&c);
	gather_release(&g);
	cover_release(&c);
	return sum;
}

TEST(reference_vectors)
{
	check_vectors(gathered);
}

/* T is final until 100, because cover_settle() was called with that time. Of a list that is added
 * later, only the time after 100 may be added to T. */
TEST(late_lists_are_cut)
{
	struct parts l = {};
	struct cover c = {};

	cover_add(&c, 10, 20);
	cover_settle(&c, 100, NULL, NULL);
	parts_push(&l, (struct part){ 50, 90 });
	parts_push(&l, (struct part){ 95, 110 });
	cover_add_parts(&c, &l);
	EXPECT_EQ(cover_total_ns(&c), 20);
	EXPECT_EQ(c.late, 2);
	parts_release(&l);
	cover_release(&c);
}

TEST_MAIN
