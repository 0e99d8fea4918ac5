// SPDX-License-Identifier: GPL-2.0-or-later
/* The span word. If these fail, every T that iospan prints is wrong. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "../harness.h"
#include "../../bpf/span.h"
#include "../../user/clock.h"

struct interval {
	u64 start, end;
};

struct event {
	u64 at;
	int enters;
};

/* Brute force, sharing nothing with span.h: marks every ns that is covered. */
static u64 covered_ns(const struct interval *in, int n, u64 length)
{
	char *mark = calloc(length, 1);
	u64 sum = 0;

	for (int i = 0; i < n; i++)
		for (u64 t = in[i].start; t < in[i].end; t++)
			mark[t] = 1;
	for (u64 t = 0; t < length; t++)
		sum += mark[t];
	free(mark);
	return sum;
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return y->enters - x->enters;	/* touching intervals join either way */
}

static u64 replay(const struct interval *in, int n, u64 base, struct span *s)
{
	struct event *e = malloc(2 * n * sizeof(*e));
	u64 last = 0;

	for (int i = 0; i < n; i++) {
		e[2 * i] = (struct event){ in[i].start, 1 };
		e[2 * i + 1] = (struct event){ in[i].end, 0 };
	}
	qsort(e, 2 * n, sizeof(*e), by_time);
	for (int i = 0; i < 2 * n; i++) {
		last = base + e[i].at;
		/* as the kernel programs do: the short way first */
		if (e[i].enters)
			(void)(span_joins(s) || span_enter(s, last));
		else
			(void)(span_parts(s, last) || span_leave(s, last));
	}
	free(e);
	return span_time_ns(s->word, last);
}

static struct interval random_interval(u64 length)
{
	u64 a = rand() % length, b = a + rand() % (1 + length / 16);

	return (struct interval){ a, b < length ? b : length };
}

/* Random sets, at bases on both sides of the 44-bit wrap. */
TEST(union_of_random_sets)
{
	const u64 bases[] = { 0, 1000000007, (1ULL << 44) - 500, 3 * (1ULL << 44) - 1 };
	struct interval in[40];

	srand(1993);
	for (int round = 0; round < 20000; round++) {
		int n = 1 + rand() % 40;
		u64 length = 1 + rand() % 1000;
		struct span s = {};

		for (int i = 0; i < n; i++)
			in[i] = random_interval(length);
		ASSERT_EQ(replay(in, n, bases[round % 4], &s), covered_ns(in, n, length));
		ASSERT_EQ(span_count(s.word), 0);
	}
}

TEST(t_runs_on_while_busy_and_stands_while_idle)
{
	struct span s = {};

	EXPECT_EQ(span_enter(&s, 100), SPAN_TURNS);
	EXPECT_EQ(span_time_ns(s.word, 130), 30);
	EXPECT_EQ(span_enter(&s, 140), SPAN_STAYS);
	EXPECT_EQ(span_leave(&s, 150), SPAN_STAYS);
	EXPECT_EQ(span_leave(&s, 160), SPAN_TURNS);
	EXPECT_EQ(span_time_ns(s.word, 1000), 60);
	EXPECT_EQ(span_enter(&s, 2000), SPAN_TURNS);
	EXPECT_EQ(span_time_ns(s.word, 2007), 67);
}

TEST(the_short_way_needs_company)
{
	struct span s = {};

	EXPECT_TRUE(!span_joins(&s));
	EXPECT_TRUE(!span_parts(&s, 10));
	span_enter(&s, 10);
	EXPECT_TRUE(!span_parts(&s, 20));
	EXPECT_TRUE(span_joins(&s));
	EXPECT_TRUE(span_parts(&s, 30));
	EXPECT_EQ(span_leave(&s, 20), SPAN_TURNS);
	EXPECT_EQ(span_time_ns(s.word, 50), 20);
}

TEST(nothing_to_leave_is_refused)
{
	struct span s = {};

	EXPECT_EQ(span_leave(&s, 100), SPAN_REFUSED);
	EXPECT_EQ(s.word, 0);
}

/* An enter that was held up between the clock and the word: what is between has
 * been counted by the one who was in flight then. */
TEST(a_late_enter_counts_nothing_twice)
{
	struct span s = {};

	span_enter(&s, 0);
	span_leave(&s, 5000);
	span_enter(&s, 100);
	span_leave(&s, 6000);
	EXPECT_EQ(span_time_ns(s.word, 6000), 6000);
}

/* A leave that was held up must not take away what others did meanwhile. */
TEST(a_late_leave_takes_nothing_away)
{
	struct span s = {};

	span_enter(&s, 0);
	span_enter(&s, 50);
	span_leave(&s, 6000);
	span_leave(&s, 100);
	EXPECT_EQ(span_time_ns(s.word, 7000), 6000);
}

/* A reader who samples gets T beyond 2^44 ns. */
TEST(samples_add_up_across_the_wrap)
{
	const u64 step = 1ULL << 42;
	struct span s = {};
	u64 total = 0, last = 0, now = 12345;

	span_enter(&s, now);
	for (int i = 0; i < 100; i++) {
		u64 t;

		now += step;
		t = span_time_ns(s.word, now);
		total += span_delta_ns(last, t);
		last = t;
	}
	EXPECT_EQ(total, 100 * step);
}

TEST(a_reading_that_goes_back_is_a_small_negative)
{
	EXPECT_EQ(span_delta_ns(1000, 990), -10);
	EXPECT_EQ(span_delta_ns((1ULL << 44) - 5, 5), 10);
}

/* Many threads on one word, and one that is busy all the time: T is the time
 * between its ends, to the ns, however the others race. */
#define THREADS 4
static struct span shared;

static void *hammer(void *arg)
{
	for (int i = 0; i < 300000; i++) {
		while (span_enter(&shared, now_ns()) == SPAN_REFUSED)
			;
		while (span_leave(&shared, now_ns()) == SPAN_REFUSED)
			;
	}
	return NULL;
}

TEST(threads_race_under_one_that_stays)
{
	pthread_t t[THREADS];
	u64 from = now_ns(), to;

	memset(&shared, 0, sizeof(shared));
	span_enter(&shared, from);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, hammer, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	to = now_ns();
	EXPECT_EQ(span_leave(&shared, to), SPAN_TURNS);
	EXPECT_EQ(span_time_ns(shared.word, to), to - from);
}

/* The same without it: nobody is left inside, and T cannot exceed the time. */
TEST(threads_race_alone)
{
	pthread_t t[THREADS];
	u64 from = now_ns(), to;

	memset(&shared, 0, sizeof(shared));
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, hammer, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	to = now_ns();
	EXPECT_EQ(span_count(shared.word), 0);
	EXPECT_LE(span_time_ns(shared.word, to), to - from);
	EXPECT_GT(span_time_ns(shared.word, to), 0);
}

TEST_MAIN
