// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests how a new trace replaces an old one. */
#include <errno.h>
#include <unistd.h>
#include "tests/lib/harness.h"
#include "tests/unit/made-trace.h"
#include "user/trace/file.h"

static void expect_text(const char *path, const char *text)
{
	char found[64] = "";
	FILE *f = fopen(path, "r");

	ASSERT_TRUE(f != NULL);
	EXPECT_TRUE(fgets(found, sizeof(found), f) != NULL);
	EXPECT_STR(found, text);
	fclose(f);
}

TEST(an_old_file_returns)
{
	struct trace_place p;

	scratch_enter();
	scratch_put("trace", "old");
	ASSERT_EQ(trace_place_open(&p, "trace"), 0);
	ASSERT_EQ(replace_set_aside(&p, true), 1);
	EXPECT_TRUE(access("trace", F_OK) != 0);
	replace_put_back(&p);
	expect_text("trace", "old");
	EXPECT_TRUE(access("trace.old", F_OK) != 0);
	trace_place_close(&p);
}

/* iospan renames an old trace, and restores its name if the command fails to start. Meanwhile,
 * another program may create a file with this name, which must stay. */
TEST(an_old_file_that_returns_replaces_no_other_file)
{
	struct trace_place p;

	scratch_enter();
	scratch_put("trace", "old");
	ASSERT_EQ(trace_place_open(&p, "trace"), 0);
	ASSERT_EQ(replace_set_aside(&p, true), 1);
	scratch_put("trace", "another's");
	replace_put_back(&p);
	expect_text("trace", "another's");
	expect_text("trace.old", "old");
	trace_place_close(&p);
}

/* iospan opens the trace by its name to sync it. If another file has this name by then, the sync
 * does not write the data of the trace to the disk. So iospan must report an error. */
TEST(a_sync_of_another_file_is_an_error)
{
	struct trace_file_id id;
	struct trace_place p;
	bool made;
	int fd;

	scratch_enter();
	ASSERT_EQ(trace_place_open(&p, "trace"), 0);
	fd = trace_file_create(&p, 0, &made);
	ASSERT_TRUE(fd >= 0);
	trace_file_identify(fd, &id);
	EXPECT_EQ(trace_file_sync(&p, 0, &id), 0);
	EXPECT_EQ(rename("trace", "elsewhere"), 0);
	EXPECT_EQ(trace_file_sync(&p, 0, &id), -ENOENT);
	scratch_put("trace", "another's");
	EXPECT_EQ(trace_file_sync(&p, 0, &id), -ENOENT);
	close(fd);
	trace_place_close(&p);
}

TEST_MAIN
