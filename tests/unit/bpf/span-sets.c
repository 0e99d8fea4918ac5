// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the counting of T, the time in which any access is in flight, with random sets of
 * intervals. T must be the length of their union. A span is the counter of T. */
#include <stdlib.h>
#include "bpf/span-word.h"
#include "tests/unit/made-sets.h"

static void set_events(struct set *s)
{
	for (u32 i = 0; i < s->n; i++) {
		s->events[2 * i] = (struct event){ s->in[i].start, i, false };
		s->events[2 * i + 1] = (struct event){ s->in[i].end, i, true };
	}
}

/* If the random order has put the end of an interval of length 0 before its start, swaps the two.
 * Other events at the same time keep their random order. */
static void keep_causes(struct set *s)
{
	static u32 where[MAX_SET];

	for (u32 i = 0; i < 2 * s->n; i++) {
		struct event e = s->events[i];

		if (!e.leaves) {
			where[e.of] = i + 1;
		} else if (!where[e.of]) {
			for (u32 j = i + 1; j < 2 * s->n; j++) {
				if (s->events[j].of != e.of)
					continue;
				s->events[i] = s->events[j];
				s->events[j] = e;
				break;
			}
			where[e.of] = i + 1;
		}
	}
	memset(where, 0, sizeof(*where) * s->n);
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static void shuffle(struct event *e, u32 n)
{
	for (u32 i = n; i > 1; i--) {
		u32 j = below(i);
		struct event t = e[i - 1];

		e[i - 1] = e[j];
		e[j] = t;
	}
}

static void sort_events(struct set *s)
{
	set_events(s);
	shuffle(s->events, 2 * s->n);
	/* insertion sort is stable, and faster than qsort() for few events */
	if (s->n < 10) {
		for (u32 i = 1; i < 2 * s->n; i++)
			for (u32 j = i; j && s->events[j].at < s->events[j - 1].at; j--) {
				struct event t = s->events[j];

				s->events[j] = s->events[j - 1];
				s->events[j - 1] = t;
			}
	} else {
		qsort(s->events, 2 * s->n, sizeof(*s->events), by_time);
	}
	keep_causes(s);
}

/* Passes the events to a span as the BPF programs do. They first call the fast function,
 * span_enter_busy() or span_leave_busy(). If it fails, they call span_enter() or span_leave().
 * Returns T, or ~0 if an event is refused or an access stays in flight. */
static u64 feed(const struct set *s)
{
	struct span span = {};
	u64 now = 0;

	for (u32 i = 0; i < 2 * s->n; i++) {
		const struct event *e = &s->events[i];

		now = s->base + e->at;
		if (e->leaves ?
			    !span_leave_busy(&span, now) && span_leave(&span, now) == SPAN_REFUSED :
			    !span_enter_busy(&span) && span_enter(&span, now) == SPAN_REFUSED)
			return ~0ULL;
	}
	return span_count(span.word) ? ~0ULL : span_time_ns(span.word, now);
}

/* A span cannot go back in time: for a late event, it uses the latest time seen. Stores the
 * intervals in @to, with the times that the span uses. Returns the sum of the delays. */
static u64 delay(const struct set *s, struct interval *to)
{
	u64 latest = 0, moved = 0;

	for (u32 i = 0; i < 2 * s->n; i++) {
		const struct event *e = &s->events[i];

		if (e->at > latest)
			latest = e->at;
		moved += latest - e->at;
		*(e->leaves ? &to[e->of].end : &to[e->of].start) = latest;
	}
	return moved;
}

static u64 apart(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/* A late event makes the span use a later time, see delay(). T must be the length of the union of
 * the intervals with these later times. T may differ from the true length by at most the sum of the
 * delays. */
static bool holds(const struct set *s)
{
	static struct interval arrived[MAX_SET];
	u64 moved = delay(s, arrived), t = feed(s);

	return t == covered_ns(arrived, s->n, s->length) &&
		apart(t, covered_ns(s->in, s->n, s->length)) <= moved;
}

static void drop(struct set *s, u32 which)
{
	u32 n = 0;

	for (u32 i = 0; i < 2 * s->n; i++) {
		struct event e = s->events[i];

		if (e.of == which)
			continue;
		e.of -= e.of > which;
		s->events[n++] = e;
	}
	memmove(&s->in[which], &s->in[which + 1], (--s->n - which) * sizeof(*s->in));
}

/* Makes a failing set smaller: removes an interval if the set still fails without it. */
static void shrink(struct set *s)
{
	static struct set smaller;

	for (u32 i = 0; i < s->n;) {
		smaller = *s;
		drop(&smaller, i);
		if (holds(&smaller))
			i++;
		else
			*s = smaller;
	}
}

static void show(const struct set *s, u32 round)
{
	u64 t = feed(s);

	printf("seed %d, set %u: T %lld, union %llu, base %llu, the order of arrival:", SEED, round,
	       (long long)t, (unsigned long long)covered_ns(s->in, s->n, s->length),
	       (unsigned long long)s->base);
	for (u32 i = 0; i < 2 * s->n; i++)
		printf(" %s%u@%llu", s->events[i].leaves ? "-" : "+", s->events[i].of,
		       (unsigned long long)s->events[i].at);
	printf("\n");
}

static void check(struct set *s, u32 round)
{
	if (holds(s))
		return;
	shrink(s);
	show(s, round);
	ASSERT_TRUE(holds(s));
}

TEST(random_sets)
{
	static struct set s;
	u32 rounds = test_rounds(1000000);

	state = SEED;
	for (u32 round = 0; round < rounds; round++) {
		set_make(&s, round);
		sort_events(&s);
		check(&s, round);
	}
}

/* Events of two CPUs may arrive in the wrong order. */
TEST(sets_that_arrive_in_disorder)
{
	static struct set s;
	u32 rounds = test_rounds(1000000);

	state = SEED;
	for (u32 round = 0; round < rounds; round++) {
		set_make(&s, round);
		sort_events(&s);
		for (u32 swaps = 1 + below(4); swaps; swaps--) {
			u32 at = below(2 * s.n), n = 1 + below(round % 8 ? 3 : 2 * s.n);

			shuffle(s.events + at, at + n > 2 * s.n ? 2 * s.n - at : n);
		}
		keep_causes(&s);
		check(&s, round);
	}
}

static u64 feed_sorted(struct set *s)
{
	sort_events(s);
	return feed(s);
}

TEST(reference_vectors)
{
	check_vectors(feed_sorted);
}

TEST_MAIN
