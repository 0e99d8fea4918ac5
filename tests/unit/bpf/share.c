// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the shared time: the time in which several cgroups (groups) use a disk at once. The shared
 * clock (bpf/share.h) counts this time. A span counts the time in which any access is in flight.
 * The clock starts or stops when a span becomes busy or idle (bpf/transition.h). */
#include <pthread.h>
#include <string.h>
#include "tests/unit/made-sets.h"
#include "bpf/share.h"
#include "bpf/abi.h"
#include "user/base/clock.h"

#define MOST_GROUPS 6
#define STEPS 400
#define FIRST_GROUP (GROUP_TOP + 1)

/* The spans and entries (cells) that the BPF programs would have for one disk. Cell 1 + g is for
 * the reads of group g. */
struct maps {
	struct span spans[SPAN_DISK(1, 0) + 64], app[APP_SPANS];
	struct cell cells[1 + MOST_GROUPS];
	struct group groups[FIRST_GROUP + MOST_GROUPS];
	bool per_part, per_cgroup, vfs_groups, joint_vfs, joint_app, selectable;
	u32 leaves, max_groups;
};
#undef SPAN_GROUP
#define SPAN_GROUP(group) (SPAN_DISK(1, 16) + (group))

#include "bpf/transition.h"

static struct cell *map_cell(struct maps *m, const u32 *cell)
{
	return &m->cells[*cell];
}

static struct group *map_group(struct maps *m, const u32 *group)
{
	return &m->groups[*group];
}

static struct span *map_span_at(struct maps *m, u32 span)
{
	return &m->spans[span];
}

static enum span_result map_span_result(struct maps *m, u32 span, u64 now, bool busy)
{
	return busy ? span_enter(&m->spans[span], now) : span_leave(&m->spans[span], now);
}

static bool map_span(struct maps *m, u32 span, u64 now, bool busy)
{
	return map_span_result(m, span, now, busy) == SPAN_TRANSITION;
}

static bool map_app_span(struct maps *m, u32 span, u64 now, bool busy)
{
	return (busy ? span_enter(&m->app[span], now) : span_leave(&m->app[span], now)) ==
		SPAN_TRANSITION;
}

#define READ_CELL(g) (1 + (g))
#define READ_SPAN(g) SPAN_DISK(1, (g))
#define BOTH_SPAN(g) SPAN_DISK(1, 8 + (g))

static void set_up(struct maps *m)
{
	*m = (struct maps){ .per_cgroup = true, .selectable = true, .leaves = 1 };
	for (u32 g = 0; g < MOST_GROUPS; g++) {
		m->cells[READ_CELL(g)] = (struct cell){ .group = FIRST_GROUP + g,
							.span = READ_SPAN(g),
							.total = 1,
							.both = BOTH_SPAN(g) };
		m->groups[FIRST_GROUP + g].parent = GROUP_TOP;
	}
}

static void change(struct maps *m, u32 g, u64 now, bool busy)
{
	if (map_span(m, READ_SPAN(g), now, busy))
		transition_cell(m, READ_CELL(g), now, busy);
}

static u64 clock_ns(const struct maps *m, u64 now)
{
	return share_time_ns(m->spans[SPAN_DISK(0, DISK_RW)].shared, now);
}

static u64 shared_ns(const struct maps *m, u32 g, u64 now)
{
	return share_time_ns(m->spans[BOTH_SPAN(g)].shared, clock_ns(m, now));
}

TEST(the_clock_runs_between_start_and_stop)
{
	u64 word = 0;

	share_change(&word, 100, true);
	EXPECT_EQ(share_running(word), 1);
	EXPECT_EQ(share_time_ns(word, 130), 30);
	share_change(&word, 160, false);
	EXPECT_EQ(share_running(word), 0);
	EXPECT_EQ(share_time_ns(word, 1000), 60);
}

/* Two CPUs may update the clock in the wrong order: the stop of a period first, then its start. */
TEST(the_order_of_starts_and_stops_does_not_matter)
{
	u64 word = 0;

	share_change(&word, 160, false);
	EXPECT_EQ(share_running(word), -1);
	share_change(&word, 100, true);
	share_change(&word, 300, true);
	EXPECT_EQ(share_time_ns(word, 307), 67);
	share_change(&word, 310, false);
	EXPECT_EQ(share_time_ns(word, 9999), 70);
}

TEST(the_clock_wraps_as_t_does)
{
	const u64 end = 1ULL << 44;
	u64 word = 0;

	share_change(&word, end - 10, true);
	EXPECT_EQ(share_time_ns(word, end + 20), 30);
	share_change(&word, end + 50, false);
	EXPECT_EQ(share_time_ns(word, end + 1000), 60);
	share_change(&word, 3 * end + 5, true);
	EXPECT_EQ(share_time_ns(word, 3 * end + 6), 61);
}

TEST(two_groups_share_what_both_use)
{
	static struct maps m;

	set_up(&m);
	change(&m, 0, 100, true);
	change(&m, 1, 150, true);
	change(&m, 1, 160, true);
	EXPECT_EQ(shared_ns(&m, 0, 170), 20);
	change(&m, 0, 180, false);
	EXPECT_EQ(shared_ns(&m, 1, 500), 30);
	change(&m, 1, 600, false);
	change(&m, 1, 700, false);
	EXPECT_EQ(shared_ns(&m, 0, 800), 30);
	EXPECT_EQ(shared_ns(&m, 1, 800), 30);
	EXPECT_EQ(span_time_ns(m.spans[SPAN_DEVICE].word, 800), 600);
}

/* Makes random accesses of up to MOST_GROUPS groups. After each step, checks the shared time of
 * each group: the time in which accesses of this group and of any other group were in flight. */
static void random_round(struct maps *m)
{
	u32 groups = 2 + below(MOST_GROUPS - 1), flying[MOST_GROUPS] = {};
	u64 now = below(1000), expected[MOST_GROUPS] = {}, clock = 0;

	set_up(m);
	for (int step = 0; step < STEPS; step++) {
		u32 g = below(groups), users = 0;
		u64 next = now + below(50);
		bool busy = !flying[g] || below(3) == 0;

		for (u32 i = 0; i < groups; i++)
			users += flying[i] > 0;
		for (u32 i = 0; i < groups; i++)
			expected[i] += flying[i] && users > 1 ? next - now : 0;
		clock += users > 1 ? next - now : 0;
		now = next;
		change(m, g, now, busy);
		flying[g] += busy ? 1 : -1;
		for (u32 i = 0; i < groups; i++)
			ASSERT_EQ(shared_ns(m, i, now), expected[i]);
		ASSERT_EQ(clock_ns(m, now), clock);
	}
}

static u64 joint_ns(const struct maps *m, u32 g, u32 selected, u64 now)
{
	u64 clock = span_time_ns(m->spans[BOTH_SPAN(selected)].word, now);

	return share_time_ns(m->spans[BOTH_SPAN(g)].joint, clock);
}

/* Selects a group while accesses are in flight, and later another group. For each selected
 * group, checks the time that each group shares with it: the time in which both have accesses in
 * flight. */
static void selected_round(struct maps *m)
{
	u32 flying[MOST_GROUPS] = {}, selected = 0;
	u64 now = below(1000), expected[MOST_GROUPS] = {}, before[MOST_GROUPS] = {};

	set_up(m);
	for (int step = 0; step < STEPS; step++) {
		u32 g = below(MOST_GROUPS);
		u64 next = now + below(50);
		bool busy = !flying[g] || below(3) == 0;

		if (step == STEPS / 4 || step == STEPS / 2) {
			selected = below(MOST_GROUPS);
			m->spans[SPAN_DISK(0, DISK_RW)].selected = BOTH_SPAN(selected);
			for (u32 i = 0; i < MOST_GROUPS; i++) {
				before[i] = joint_ns(m, i, selected, now);
				expected[i] = 0;
			}
		}
		for (u32 i = 0; i < MOST_GROUPS; i++)
			expected[i] += flying[i] && flying[selected] ? next - now : 0;
		now = next;
		change(m, g, now, busy);
		flying[g] += busy ? 1 : -1;
		for (u32 i = 0; step >= STEPS / 4 && i < MOST_GROUPS; i++)
			ASSERT_EQ(span_delta_ns(before[i], joint_ns(m, i, selected, now)),
				  expected[i]);
	}
}

static void run_rounds(void (*round)(struct maps *m))
{
	static struct maps m;
	u32 rounds = test_rounds(2000);

	state = SEED;
	for (u32 i = 0; i < rounds; i++)
		round(&m);
}

TEST(time_with_the_selected_group)
{
	run_rounds(selected_round);
}

TEST(random_accesses)
{
	run_rounds(random_round);
}

/* An access of group 0 ends at 170, but its completion is lost. So group 0 counts as a user of the
 * disk until iospan finds the loss at 900, and ends the access at 170. This must also correct the
 * shared time of group 1, which uses the disk all the time. Afterwards, group 0 must not count as a
 * user. */
TEST(an_access_with_a_lost_completion_does_not_use_the_disk_forever)
{
	static struct maps m;

	set_up(&m);
	change(&m, 0, 100, true);
	change(&m, 1, 120, true);
	EXPECT_EQ(shared_ns(&m, 1, 900), 780);
	change(&m, 0, 170, false);
	EXPECT_EQ(shared_ns(&m, 0, 900), 50);
	EXPECT_EQ(shared_ns(&m, 1, 900), 50);
	EXPECT_EQ(share_running(m.spans[SPAN_DISK(0, DISK_RW)].shared), 0);
	change(&m, 0, 1000, true);
	change(&m, 0, 1040, false);
	change(&m, 1, 1100, false);
	EXPECT_EQ(shared_ns(&m, 0, 1100), 90);
	EXPECT_EQ(shared_ns(&m, 1, 1100), 90);
}

#define THREADS 4
#define ACCESSES 20000
/* The times of the accesses. Threads 0 and 2 belong to group 0, threads 1 and 3 to group 1. */
static struct interval done[THREADS][ACCESSES];
/* in ns: sum of the times between reading the clock and the end of the update */
static u64 delays[THREADS];
static pthread_barrier_t begin;
static struct maps raced;

static void *use_disk(void *number)
{
	u32 n = (uintptr_t)number;

	pthread_barrier_wait(&begin);
	for (u32 i = 0; i < ACCESSES; i++) {
		struct interval *it = &done[n][i];

		it->start = now_ns();
		change(&raced, n % 2, it->start, true);
		delays[n] += now_ns() - it->start;
		it->end = now_ns();
		change(&raced, n % 2, it->end, false);
		delays[n] += now_ns() - it->end;
	}
	return NULL;
}

static int by_start(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Returns the time in which any of the threads @first, @first + @step, ... had an access in
 * flight. */
static u64 union_ns(u32 first, u32 step)
{
	static struct interval all[THREADS * ACCESSES];
	u64 sum = 0, until = 0;
	u32 n = 0;

	for (u32 i = first; i < THREADS; i += step)
		for (u32 k = 0; k < ACCESSES; k++)
			all[n++] = done[i][k];
	qsort(all, n, sizeof(*all), by_start);
	for (u32 i = 0; i < n; i++) {
		u64 start = all[i].start > until ? all[i].start : until;

		sum += all[i].end > start ? all[i].end - start : 0;
		until = all[i].end > until ? all[i].end : until;
	}
	return sum;
}

/* Several CPUs start and stop accesses of the same group at the same time. Each start and stop may
 * make the shared time wrong by the delay between reading the clock and the update. But no start or
 * stop may get lost. So at the end no clock may run, and later accesses must be counted exactly. */
TEST(threads_use_the_disk_at_once)
{
	struct span *disk = &raced.spans[SPAN_DISK(0, DISK_RW)];
	u64 expected, most = 0, end, before[2];
	pthread_t t[THREADS];

	pthread_barrier_init(&begin, NULL, THREADS);
	set_up(&raced);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, use_disk, (void *)i);
	for (u32 i = 0; i < THREADS; i++) {
		pthread_join(t[i], NULL);
		most += 2 * delays[i];
	}
	end = now_ns();
	expected = union_ns(0, 2) + union_ns(1, 2) - union_ns(0, 1);
	EXPECT_EQ(span_count(disk->word), 0);
	EXPECT_EQ(share_running(disk->shared), 0);
	for (u32 g = 0; g < 2; g++) {
		EXPECT_EQ(share_running(raced.spans[BOTH_SPAN(g)].shared), 0);
		EXPECT_EQ(share_running(raced.spans[BOTH_SPAN(g)].joint), 0);
		before[g] = shared_ns(&raced, g, end);
		EXPECT_LE(llabs(span_delta_ns(expected, before[g])), most);
	}
	change(&raced, 0, end + 10, true);
	change(&raced, 1, end + 20, true);
	change(&raced, 0, end + 50, false);
	change(&raced, 1, end + 60, false);
	for (u32 g = 0; g < 2; g++)
		EXPECT_EQ(span_delta_ns(before[g], shared_ns(&raced, g, end + 70)), 30);
}

TEST_MAIN
