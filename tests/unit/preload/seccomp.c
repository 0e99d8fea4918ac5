// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the preloaded library (libiospan.so) in programs that restrict themselves by seccomp. If
 * the library cannot time a call, the call is lost. */
#include <sys/prctl.h>
#include "tests/unit/preload/app-area.h"

/* Runs sandbox.c, which must exit with 0. Writes have 10 bytes, reads 100. */
static void expect_run(const char *mode, u64 writes, u64 reads, u64 lost)
{
	area_run("preload/sandbox", mode);
	EXPECT_ROW(WRITES, writes, writes * 10, 0);
	EXPECT_ROW(READS, reads, reads * 100, 0);
	EXPECT_EQ(area->head.seccomp, lost);
}

/* Strict mode allows only read, write and exit. The library has no clock then, so later calls are
 * lost. */
TEST(strict_mode)
{
	expect_run("strict", 2, 0, 7 + 3);
}

/* The process forbids itself to read the time stamp counter. The library must then read the clock
 * by a system call. If that system call is forbidden too, the calls of the program are lost. */
TEST(program_that_must_not_read_the_time_counter)
{
	int mode;

	NEEDS(prctl(PR_GET_TSC, &mode) == 0, "needs PR_SET_TSC");
	expect_run("no-counter", 2 + 2 + 3 + 4, 0, 0);
	expect_run("no-clock", 2, 0, 3 + 4);
	expect_run("no-clock-later", 2 + 1, 0, 4);
}

TEST(filter_that_allows_read_write_and_exit)
{
	expect_run("filter", 7, 3, 0);
	expect_run("filter-newer", 7, 3, 0);
}

TEST(filter_that_the_library_does_not_see)
{
	expect_run("filter-unseen", 3 + 1 + 1 + 7, 3, 0);
}

TEST(failed_installation_of_a_filter)
{
	expect_run("probe", 2, 0, 0);
}

TEST(filter_that_allows_what_the_library_needs)
{
	expect_run("harmless", 5, 0, 0);
}

TEST(file_opened_under_a_filter)
{
	expect_run("opens", 2 + 3, 0, 2);
}

TEST(children_under_a_filter)
{
	expect_run("forks", 2 + 3 + 4, 0, 0);
	EXPECT_EQ(area->head.no_slot, 0);
	expect_run("raw-fork", 2, 0, 0);
	EXPECT_EQ(area->head.no_slot, 3);
}

TEST(filter_before_the_library_starts)
{
	expect_run("early", 0, 0, 0);
	EXPECT_EQ(area->head.programs, 0);
}

TEST(program_executed_under_a_filter)
{
	expect_run("executes", 2, 0, 0);
	EXPECT_EQ(area->head.programs, 1);
}

TEST_MAIN
