// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests outputs that are pipes, such as >(cat) of a shell. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "user/base/output.h"
#include "tests/lib/harness.h"

static int print(FILE *f, const void *text)
{
	return fputs(text, f) < 0 ? -EIO : 0;
}

/* Checks that the reader gets @text and then the end of the pipe. */
static void expect_text(int reader, const char *text)
{
	char seen[64] = "";

	EXPECT_EQ(read(reader, seen, sizeof(seen) - 1), (ssize_t)strlen(text));
	EXPECT_STR(seen, text);
	EXPECT_EQ(read(reader, seen, sizeof(seen)), 0);
}

/* Writes a report to the pipe @path. @writer: the shell's own descriptor of >(cat), which this
 * function closes before it writes the report; -1: there is none. */
static void write_to(const char *path, int reader, int writer)
{
	struct output o = OUTPUT_NONE;
	char none;

	ASSERT_EQ(output_open(&o, path), 0);
	if (writer >= 0)
		close(writer);
	/* a result of 0 would mean that the pipe has already ended */
	EXPECT_EQ(read(reader, &none, 1), -1);
	EXPECT_EQ(output_write(&o, print, "report"), 0);
	output_drop(&o);
	expect_text(reader, "report");
	close(reader);
}

TEST(names_of_a_pipe_without_a_name)
{
	static const char *const names[] = { "/dev/fd/%d", "/proc/self/fd/%d",
					     "/proc/self/../self/fd/%d" };

	scratch_enter();
	for (unsigned i = 0; i < 2 * sizeof(names) / sizeof(*names); i++) {
		int ends[2];
		char path[64];

		ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
		snprintf(path, sizeof(path), names[i / 2], ends[1]);
		if (i % 2) {
			remove("link");
			ASSERT_EQ(symlink(path, "link"), 0);
		}
		write_to(i % 2 ? "link" : path, ends[0], ends[1]);
	}
}

TEST(fifo_with_a_reader)
{
	scratch_enter();
	ASSERT_TRUE(!mkfifo("fifo", 0600) && !symlink("fifo", "link"));
	for (int i = 0; i < 2; i++)
		write_to(i ? "link" : "fifo", open("fifo", O_RDONLY | O_NONBLOCK), -1);
}

TEST(fifo_with_a_later_reader)
{
	struct output o = OUTPUT_NONE;
	int reader;

	scratch_enter();
	ASSERT_TRUE(!mkfifo("fifo", 0600) && !symlink("fifo", "link"));
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(output_open(&o, i ? "link" : "fifo"), 0);
		reader = open("fifo", O_RDONLY | O_NONBLOCK);
		EXPECT_EQ(output_write(&o, print, "report"), 0);
		output_drop(&o);
		expect_text(reader, "report");
		close(reader);
	}
}

TEST(standard_output_is_a_pipe)
{
	static const char *const names[] = { "/dev/stdout", "-" };
	int before = dup(STDOUT_FILENO), ends[2];

	for (int i = 0; i < 2; i++) {
		struct output o = OUTPUT_NONE;

		ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
		ASSERT_EQ(dup2(ends[1], STDOUT_FILENO), STDOUT_FILENO);
		EXPECT_EQ(output_open(&o, names[i]), 0);
		close(ends[1]);
		EXPECT_EQ(output_write(&o, print, "report"), 0);
		output_drop(&o);
		ASSERT_EQ(dup2(before, STDOUT_FILENO), STDOUT_FILENO);
		expect_text(ends[0], "report");
		close(ends[0]);
	}
	close(before);
}

TEST_MAIN
