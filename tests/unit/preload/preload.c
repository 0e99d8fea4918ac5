// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests which calls of a program the preloaded library (libiospan.so) counts, and with how many
 * bytes. The app area is the memory that the library shares with iospan; it has the counters. */
#include "tests/unit/preload/app-area.h"

TEST(read_and_write_families)
{
	area_run("preload/calls", "posix");
	EXPECT_EQ(area->head.programs, 1);
	EXPECT_ROW(READS, 8, 800, 0);
	EXPECT_ROW(WRITES, 8, 80, 0);
	EXPECT_ROW(SYNCS, 0, 0, 0);
}

TEST(fortified_variants)
{
	area_run("preload/calls", "fortified");
	EXPECT_ROW(READS, 5, 325, 0);
	EXPECT_ROW(WRITES, 1, 5, 0);
}

/* The library must count each call of the program, but not the system call by which libc writes its
 * buffer. */
TEST(streams_count_calls_not_buffers)
{
	area_run("preload/calls", "stdio");
	EXPECT_ROW(WRITES, 1006, 21014, 0);
	/* one byte was read twice, after ungetc() */
	EXPECT_ROW(READS, 1006, 21015, 0);
}

TEST(standard_output_to_a_file)
{
	area_run("preload/calls", "stdout");
	EXPECT_ROW(WRITES, 3, 9, 0);
}

/* For a failed call, the library counts the bytes requested. A read at the end of a file has not
 * failed. A call with an invalid descriptor is not counted at all. */
TEST(errors_and_ends_of_files)
{
	area_run("preload/calls", "errors");
	EXPECT_ROW(READS, 7, 10 + 0 + 100 + 0 + 100 + 0 + 1, 5);
	EXPECT_ROW(WRITES, 2, 300, 1);
	EXPECT_ROW(SYNCS, 0, 0, 0);
}

TEST(error_flag_of_an_earlier_call)
{
	area_run("preload/calls", "flag");
	EXPECT_ROW(READS, 4, 10, 0);
	EXPECT_ROW(WRITES, 1, 1, 1);
}

TEST(function_that_libc_may_lack)
{
	area_run("preload/calls", "newest-scanf");
	EXPECT_ROW(READS, 1, 2, 0);
}

TEST(errno_is_unchanged)
{
	area_run("preload/calls", "errno");
	EXPECT_ROW(READS, 1, 1, 0);
}

TEST(only_files_and_block_devices)
{
	area_run("preload/calls", "not-files");
	EXPECT_ROW(READS, 0, 0, 0);
	EXPECT_ROW(WRITES, 0, 0, 0);
	EXPECT_ROW(SYNCS, 0, 0, 0);
}

/* After a close, the descriptor number may refer to a pipe. The library must not count writes to a
 * pipe. */
TEST(numbers_are_used_again)
{
	area_run("preload/descriptors", "reuse");
	EXPECT_ROW(WRITES, 8, 255, 0);
}

/* The library remembers what kind of file each descriptor number refers to, for example an eventfd.
 * If the library misses a close, the remembered kind is wrong. The next call that returns this
 * number for a file must correct it. Otherwise, the library would not count writes to the file. */
TEST(numbers_are_returned_by_all_functions_that_open)
{
	area_run("preload/descriptors", "opened-again");
	EXPECT_ROW(WRITES, 12, 120, 0);
	area_run("preload/descriptors", "opened-otherwise");
	EXPECT_ROW(WRITES, 2, 20, 0);
	area_run("preload/descriptors", "terminal");
	EXPECT_ROW(WRITES, 1, 10, 0);
}

TEST(a_child_of_vfork_changes_no_descriptor_of_its_parent)
{
	area_run("preload/descriptors", "vforks");
	EXPECT_ROW(WRITES, 2, 20, 0);
	area_run("preload/descriptors", "vforks-that-write");
	EXPECT_ROW(WRITES, 5 + 2, 70, 0);
}

/* The program passes an array of buffers at an invalid address. The library must not read this
 * array, because the program would crash. */
TEST(calls_refused_with_an_array_at_an_invalid_address)
{
	area_run("preload/calls", "no-address");
	EXPECT_ROW(READS, 3, 0, 3);
	EXPECT_ROW(WRITES, 2, 0, 2);
}

TEST(copies_are_a_read_and_a_write)
{
	area_run("preload/calls", "copies");
	EXPECT_ROW(READS, 3, 64 + 32 + 16, 0);
	EXPECT_ROW(WRITES, 3, 64 + 32 + 8, 0);
}

TEST(syncs_have_rows_of_their_own)
{
	area_run("preload/calls", "syncs");
	EXPECT_ROW(SYNCS, 9, 0, 1);
	EXPECT_ROW(READS, 0, 0, 0);
	EXPECT_ROW(WRITES, 0, 0, 0);
	EXPECT_EQ(area_time(APP_SPAN_ALL), 0);
}

/* The library cannot time calls of POSIX AIO, such as aio_read(). It must report that the program
 * made such calls. */
TEST(posix_aio_is_reported)
{
	area_run("preload/calls", "async");
	EXPECT_EQ(area->head.async, 1);
	EXPECT_ROW(READS, 0, 0, 0);
}

/* A library is unbound if its calls bypass the preloaded library, so that they are not counted. */
TEST(unbound_libraries_are_counted)
{
	area_run("preload/calls", "loads");
	EXPECT_EQ(area->head.unbound, 2);
	EXPECT_ROW(WRITES, 1, 10, 0);
}

TEST(calls_before_the_constructor)
{
	area_run("preload/calls", "early");
	EXPECT_EQ(area->head.programs, 1);
	EXPECT_ROW(READS, 1, 100, 0);
}

/* An environment variable has the descriptor of the app area, the memory shared with iospan. A call
 * that comes before libc sets the environment cannot find the area. Later calls must find it. */
TEST(calls_before_there_is_an_environment)
{
	area_run("preload/calls", "earliest");
	EXPECT_EQ(area->head.programs, 1);
	EXPECT_ROW(READS, 1, 100, 0);
}

TEST(spans_latencies_and_histogram_agree)
{
	struct row r, w;
	u64 in_buckets = 0;

	area_run("preload/calls", "stdio");
	r = area_sum(READS);
	w = area_sum(WRITES);
	EXPECT_EQ(r.timed, r.accesses);
	EXPECT_EQ(area_time(APP_SPAN_READ), r.latency_ns);
	EXPECT_EQ(area_time(APP_SPAN_WRITE), w.latency_ns);
	EXPECT_EQ(area_time(APP_SPAN_ALL), r.latency_ns + w.latency_ns);
	EXPECT_EQ(area_time(APP_SPAN_JOINT), r.latency_ns + w.latency_ns);
	for (int i = 0; i < HIST_BUCKETS; i++)
		in_buckets += r.hist[i];
	EXPECT_EQ(in_buckets, r.timed);
	EXPECT_GE(r.hist[hist_index(r.max_ns)], 1);
}

/* The library counts a copy as a read and as a write. T, the time in which any call is in flight,
 * must contain the time of the copy only once. */
TEST(a_copy_is_in_flight_once)
{
	struct row r, w;

	area_run("preload/calls", "copies");
	r = area_sum(READS);
	w = area_sum(WRITES);
	EXPECT_LT(area_time(APP_SPAN_ALL), r.latency_ns + w.latency_ns);
	EXPECT_GE(area_time(APP_SPAN_ALL), r.latency_ns);
}

TEST(a_full_area_is_reported)
{
	area_new();
	for (int i = 0; i < APP_THREADS; i++)
		area->threads[i].tid = ~0u;
	EXPECT_EQ(area_wait(area_start("preload/calls", "posix")), 0);
	EXPECT_EQ(area->head.no_slot, 16);
	EXPECT_ROW(READS, 0, 0, 0);
	area_expect_idle();
}

/* If the memory has no valid app area, the program must behave as without the library. */
TEST(inert_without_an_area)
{
	area_new();
	area->head.magic = 0;
	EXPECT_EQ(area_wait(area_start("preload/calls", "posix")), 0);
	EXPECT_EQ(area->head.programs, 0);
	EXPECT_ROW(READS, 0, 0, 0);
}

/* The descriptor of the app area refers to a file that is too short. If the library read the mapped
 * file, SIGBUS would kill the program. */
TEST(inert_with_a_short_file_at_the_number)
{
	int fd;

	area_new();
	fd = memfd_create("short", 0);
	ASSERT_GE(fd, 0);
	ASSERT_EQ(dup2(fd, AREA_FD), AREA_FD);
	EXPECT_EQ(area_wait(area_start("preload/calls", "posix")), 0);
	EXPECT_EQ(area->head.programs, 0);
}

TEST_MAIN
