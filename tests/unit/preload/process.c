// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the preloaded library (libiospan.so) with threads, child processes, and calls that never
 * return. A jump, a cancellation or a signal ends such calls. The app area is the memory that the
 * library shares with iospan: it has the counters, and an entry (slot) for each thread. A span
 * counts the time in which any call is in flight; it is busy during this time. */
#include "tests/unit/preload/app-area.h"

static unsigned slots_taken(void)
{
	unsigned n = 0;

	for (int i = 0; i < APP_THREADS; i++)
		n += area->threads[i].tid != 0;
	return n;
}

TEST(threads_lose_no_access)
{
	area_run("preload/threads", "threads");
	EXPECT_ROW(READS, 8 * 1009, 8 * 100900, 0);
	EXPECT_EQ(slots_taken(), 0);
}

/* With more threads than sets of counters, several threads share a set. No access may be lost. */
TEST(a_crowd_of_threads_loses_no_access)
{
	area_run("preload/threads", "crowd");
	EXPECT_ROW(READS, 100 * 1009, 100 * 100900, 0);
	EXPECT_GT(area->rows[APP_STRIPES - 1][READS].accesses, 0);
	EXPECT_EQ(area->head.no_slot, 0);
	EXPECT_EQ(slots_taken(), 0);
}

TEST(destructors_may_read)
{
	area_run("preload/threads", "late");
	EXPECT_ROW(READS, 2, 200, 0);
	EXPECT_EQ(slots_taken(), 0);
}

/* A slot is the entry of a thread in the app area. Children of fork, of _Fork and of the bare
 * system call must each get a slot of their own. */
TEST(children_of_all_kinds)
{
	area_run("preload/threads", "forks");
	EXPECT_ROW(READS, 3 + 5 + 7 + 11 + 2, 2800, 0);
	EXPECT_EQ(area->head.programs, 1);
	EXPECT_EQ(slots_taken(), 4);
}

/* The child of vfork() shares the memory of its parent. The child must not use the slot of the
 * parent's thread, which is suspended. */
TEST(vfork_of_a_thread_with_a_slot)
{
	area_run("preload/threads", "vfork-after");
	EXPECT_ROW(READS, 1 + 1 + 3 + 5, 1000, 0);
	EXPECT_EQ(area->head.programs, 2);
	EXPECT_EQ(area->head.no_slot, 0);
}

TEST(vfork_of_a_thread_without_a_slot)
{
	area_run("preload/threads", "vfork-before");
	EXPECT_ROW(READS, 1 + 3 + 5, 900, 0);
	EXPECT_EQ(area->head.no_slot, 0);
	EXPECT_EQ(slots_taken(), 2);
}

/* The child of vfork() exits during a call. No BPF program ends this call here, so it must stay in
 * flight in the app area. */
TEST(child_of_vfork_that_exits_in_a_call)
{
	area_new();
	EXPECT_EQ(area_wait(area_start("preload/jumps", "vfork-left")), 0);
	EXPECT_ROW(READS, 3, 300, 0);
	EXPECT_EQ(area->head.killed, 0);
}

TEST(vfork_inside_a_call)
{
	area_run("preload/jumps", "vfork-in-call");
	EXPECT_EQ(area->head.killed, 0);
	EXPECT_ROW(READS, 1 + 1 + 3, 400, 1);
}

TEST(exec_frees_the_old_slot)
{
	area_run("preload/threads", "executes");
	EXPECT_ROW(READS, 4, 400, 0);
	EXPECT_EQ(area->head.programs, 2);
	EXPECT_EQ(slots_taken(), 1);
}

/* The program closes the descriptor of the app area, and then executes another program. Before the
 * other program starts, the library must get a new descriptor from the iospan process. */
TEST(descriptor_was_closed)
{
	area_run("preload/threads", "closed");
	EXPECT_ROW(READS, 1 + 1 + 3, 500, 0);
	EXPECT_EQ(area->head.programs, 3);
}

TEST(descriptor_number_was_taken)
{
	area_run("preload/threads", "taken");
	EXPECT_ROW(READS, 1, 100, 0);
	EXPECT_EQ(area->head.programs, 2);
}

/* ---- calls that the program leaves early ---- */

TEST(jump_out_of_a_call)
{
	area_run("preload/jumps", "jump");
	EXPECT_EQ(area->head.killed, 1);
	EXPECT_ROW(READS, 3, 300, 0);
	area_run("preload/jumps", "jump-context");
	EXPECT_EQ(area->head.killed, 1);
	EXPECT_ROW(READS, 3, 300, 0);
}

/* The program leaves calls by all kinds of jumps. At the end, area_run() checks that no call seems
 * to be in flight. */
TEST(jumps_leave_no_span_busy)
{
	area_run("preload/jumps", "jump-often");
	EXPECT_GT(area->head.killed, 0);
}

/* The program leaves a call by a jump that the library does not see. The library must notice this
 * at the next call. */
TEST(jump_that_the_library_does_not_see)
{
	area_run("preload/jumps", "jump-unseen");
	EXPECT_EQ(area->head.killed, 1);
	EXPECT_ROW(READS, 1, 100, 0);
}

TEST(jump_from_a_call_on_the_signal_stack)
{
	area_run("preload/jumps", "left-alt-stack");
	EXPECT_EQ(area->head.killed, 1);
	EXPECT_ROW(READS, 3, 300, 0);
}

/* A signal handler interrupts a call, and makes reads. The library must not count these reads. The
 * handler runs on a signal stack above the interrupted stack, and then on one below it. */
TEST(handler_inside_a_call)
{
	area_run("preload/jumps", "nested-above");
	EXPECT_EQ(area->head.killed, 0);
	EXPECT_ROW(READS, 1, 0, 1);
	area_run("preload/jumps", "nested-below");
	EXPECT_EQ(area->head.killed, 0);
	EXPECT_ROW(READS, 1, 0, 1);
}

/* A signal handler interrupts a call, and makes reads. A seccomp filter forbids the system call by
 * which the library finds the signal stack. Even then, the library must not count the reads of the
 * handler. */
TEST(handler_inside_a_call_under_a_filter)
{
	area_run("preload/jumps", "nested-filtered");
	EXPECT_EQ(area->head.killed, 0);
	EXPECT_ROW(READS, 1, 0, 1);
	area_run("preload/jumps", "nested-unseen");
	EXPECT_EQ(area->head.killed, 0);
	EXPECT_ROW(READS, 1, 0, 1);
}

TEST(fork_inside_a_call)
{
	area_run("preload/jumps", "fork-in-call");
	EXPECT_EQ(area->head.killed, 0);
	EXPECT_ROW(READS, 1 + 3 + 3, 600, 1);
}

TEST(cancelled_inside_a_call)
{
	area_run("preload/jumps", "cancel");
	EXPECT_EQ(area->head.killed, 1);
	EXPECT_ROW(READS, 3, 300, 0);
}

static struct app_thread *wait_inside(void)
{
	struct timespec ms = { 0, 1000000 };

	for (;; nanosleep(&ms, NULL))
		for (int i = 0; i < APP_THREADS; i++)
			if (*(volatile u32 *)&area->threads[i].stage == APP_INSIDE)
				return &area->threads[i];
}

/* SIGKILL ends the program during a call. A BPF program then ends this call with data from the app
 * area. The library must have stored these data. */
TEST(killed_inside_a_call)
{
	struct app_thread *t;
	pid_t child;

	area_new();
	child = area_start("preload/jumps", "blocked");
	t = wait_inside();
	EXPECT_EQ(t->tid, child);
	EXPECT_EQ(t->op, APP_SPAN_READ);
	EXPECT_NE(t->pidns, 0);
	EXPECT_GE(t - area->threads, app_thread_slot(child, 0));
	EXPECT_EQ(area_in_flight(APP_SPAN_READ), 1);
	EXPECT_EQ(area_in_flight(APP_SPAN_WRITE), 0);
	EXPECT_EQ(area_in_flight(APP_SPAN_ALL), 1);
	EXPECT_EQ(area_in_flight(APP_SPAN_JOINT), 1);
	kill(child, SIGKILL);
	EXPECT_EQ(area_wait(child), 128 + SIGKILL);
	EXPECT_EQ(t->stage, APP_INSIDE);
	EXPECT_EQ(t->tid, child);
	EXPECT_ROW(READS, 0, 0, 0);
}

TEST_MAIN
