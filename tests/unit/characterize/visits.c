// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests that accesses are sorted by their start. */
#include <stdlib.h>
#include "tools/characterize/visits.h"
#include "tests/unit/made-sets.h"

struct seen {
	struct visit at[MAX_SET];
	u32 n;
	u64 before_ns;
};

static void record_visit(void *arg, const struct visit *one)
{
	struct seen *seen = arg;

	EXPECT_LT(one->start_ns, seen->before_ns);
	seen->at[seen->n++] = *one;
}

/* Equal starts keep the order of arrival, which the test stores in ->file. */
static int by_start(const void *a, const void *b)
{
	const struct visit *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->file < y->file ? -1 : 1;
}

/* Adds accesses in batches of @step. After each batch, calls visits_settle() with the earliest
 * start of the accesses that are still to come. visits_settle() must return all accesses that start
 * before this time, sorted by their start. */
static void check_batches(struct set *s, u32 step)
{
	static struct visit expected[MAX_SET];
	static struct seen seen;
	struct visits v = {};

	seen.n = 0;
	for (u32 i = 0; i < s->n; i++) {
		expected[i] = (struct visit){ .start_ns = s->in[i].start, .file = i };
		visits_add(&v, &expected[i]);
		if (i % step)
			continue;
		seen.before_ns = bound(s, i + 1);
		visits_settle(&v, seen.before_ns, record_visit, &seen);
	}
	seen.before_ns = ~0ULL;
	visits_settle(&v, ~0ULL, record_visit, &seen);
	qsort(expected, s->n, sizeof(*expected), by_start);
	ASSERT_EQ(seen.n, s->n);
	for (u32 i = 0; i < s->n; i++)
		EXPECT_EQ(seen.at[i].file, expected[i].file);
	EXPECT_EQ(v.late, 0);
	visits_release(&v);
}

TEST(starts_are_in_order)
{
	static struct set s;

	state = SEED;
	for (u32 round = 1; round <= 3000; round++) {
		set_make(&s, round == 1 ? 0 : round);
		arrange(&s, below(4));
		check_batches(&s, 1 + below(round == 1 ? 300 : 4));
	}
}

static void count(void *n, const struct visit *one)
{
	++*(u32 *)n;
}

/* Accesses arrive in the order of their ends. So struct visits holds an access back until no access
 * with an earlier start can arrive. But it holds at most VISITS_MAX accesses; if more arrive, it
 * passes on the earliest ones. If an access then arrives with a still earlier start, it counts as
 * late. */
TEST(memory_has_an_end)
{
	struct visits v = {};
	u32 n = 0;

	for (u32 i = 0; i < VISITS_MAX + 1000; i++)
		visits_add(&v, &(struct visit){ .start_ns = 10 + i });
	visits_settle(&v, 5, count, &n);
	EXPECT_EQ(n, 1000);
	EXPECT_EQ(v.late, 0);
	visits_add(&v, &(struct visit){ .start_ns = 5 });
	visits_settle(&v, ~0ULL, count, &n);
	EXPECT_EQ(n, VISITS_MAX + 1001);
	EXPECT_EQ(v.late, 1);
	visits_release(&v);
}

TEST_MAIN
