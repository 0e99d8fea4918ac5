// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests each function that updates a span, the counter of T (the time in which any access is in
 * flight). span-sets.c tests them together. */
#include <pthread.h>
#include <string.h>
#include "tests/lib/harness.h"
#include "bpf/span-word.h"
#include "user/base/clock.h"

TEST(t_runs_on_while_busy_and_stands_while_idle)
{
	struct span s = {};

	EXPECT_EQ(span_enter(&s, 100), SPAN_TRANSITION);
	EXPECT_EQ(span_time_ns(s.word, 130), 30);
	EXPECT_EQ(span_enter(&s, 140), SPAN_SECOND);
	EXPECT_EQ(span_leave(&s, 150), SPAN_SECOND);
	EXPECT_EQ(span_leave(&s, 160), SPAN_TRANSITION);
	EXPECT_EQ(span_time_ns(s.word, 1000), 60);
	EXPECT_EQ(span_enter(&s, 2000), SPAN_TRANSITION);
	EXPECT_EQ(span_time_ns(s.word, 2007), 67);
}

TEST(the_short_way_needs_company)
{
	struct span s = {};

	EXPECT_TRUE(!span_enter_busy(&s));
	EXPECT_TRUE(!span_leave_busy(&s, 10));
	span_enter(&s, 10);
	EXPECT_TRUE(!span_leave_busy(&s, 20));
	EXPECT_TRUE(span_enter_busy(&s));
	EXPECT_TRUE(span_leave_busy(&s, 30));
	EXPECT_EQ(span_leave(&s, 20), SPAN_TRANSITION);
	EXPECT_EQ(span_time_ns(s.word, 50), 20);
}

TEST(nothing_to_leave_is_refused)
{
	struct span s = {};

	EXPECT_EQ(span_leave(&s, 100), SPAN_REFUSED);
	EXPECT_EQ(s.word, 0);
}

/* A CPU starts an access and reads its clock at 100. It updates the span only after another CPU has
 * ended an access at 5000. The time until 5000 is already counted. */
TEST(a_late_enter_counts_nothing_twice)
{
	struct span s = {};

	span_enter(&s, 0);
	span_leave(&s, 5000);
	span_enter(&s, 100);
	span_leave(&s, 6000);
	EXPECT_EQ(span_time_ns(s.word, 6000), 6000);
}

/* One access ends at 6000. Then the end of another access arrives with the time 100. T must stay
 * 6000. */
TEST(a_late_leave_takes_nothing_away)
{
	struct span s = {};

	span_enter(&s, 0);
	span_enter(&s, 50);
	span_leave(&s, 6000);
	span_leave(&s, 100);
	EXPECT_EQ(span_time_ns(s.word, 7000), 6000);
}

/* The counter of T wraps at 2^44 ns (4.9 hours). If a reader samples it at shorter intervals, the
 * differences must add up to the whole T. */
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

/* Threads enter and leave a span while one access is in flight. T must be the length of this
 * access. */
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
	EXPECT_EQ(span_leave(&shared, to), SPAN_TRANSITION);
	EXPECT_EQ(span_time_ns(shared.word, to), to - from);
}

/* Threads enter and leave a span that is sometimes idle. At the end, the span must be idle, and T
 * must be at most the elapsed time. */
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
