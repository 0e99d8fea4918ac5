// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests long traces, which the writer divides into several files (trace, trace.1, trace.2 ...). A
 * name belongs to a disk, cgroup, process or file; accesses refer to it by its number. */
#include <errno.h>
#include "user/trace/file.h"
#include "tests/unit/made-trace.h"
#include "user/trace/write.h"
#include "user/trace/trace-read.h"

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static char *row_path(const char *path, u32 number)
{
	char *name;

	if (!number)
		return keep(strdup(path));
	ASSERT_TRUE(asprintf(&name, "%s.%u", path, number) > 0);
	return keep(name);
}

static u32 read_row(struct made *m, const char *path, u32 number, u64 max_bytes)
{
	u32 seen = m->n, in_row = 0, total = 0;
	u64 row = 0;

	for (bool more = true; more; number++) {
		const struct trace_state *s;
		struct trace_reader *r;
		struct stat st;
		char *name = row_path(path, number);

		ASSERT_EQ(trace_open(&r, name, ALL_COLUMNS), 0);
		seen = made_compare(m, r, total);
		total += seen;
		s = trace_state(r);
		EXPECT_EQ(s->file, number);
		EXPECT_TRUE(s->whole);
		EXPECT_TRUE(!in_row || s->row == row);
		row = s->row;
		more = s->followed;
		ASSERT_EQ(stat(name, &st), 0);
		EXPECT_LE(st.st_size, max_bytes);
		EXPECT_TRUE(!more || 2 * (u64)st.st_size > max_bytes);
		EXPECT_EQ(st.st_mode & 07777, 0600);
		trace_close(r);
		in_row++;
	}
	EXPECT_GT(in_row, 3);
	return total;
}

TEST(a_row_has_everything_once)
{
	char *path = scratch_path("trace");
	struct trace_writer *w = made_writer(path, 100000, 0);
	struct made m = {};

	made_streams(w);
	made_accesses(&m, w, 100000, 0, true);
	ASSERT_EQ(trace_finish(w, NULL), 0);
	EXPECT_EQ(read_row(&m, path, 0, 100000), 100000);
	free(m.a);
}

/* A later file of the trace has only the names (of disks, cgroups, processes, files) that its
 * accesses need. A name that no access uses must be in the first file. */
TEST(each_file_names_what_it_needs)
{
	char *path = scratch_path("trace"), *second = scratch_path("trace.1");
	struct trace_writer *w = made_writer(path, TRACE_FILE_MIN, 0);
	const struct trace_batch *b;
	struct trace_reader *r;
	struct made m = {};

	made_streams(w);
	made_name(w, TRACE_DISK, 0, 77);
	while (!exists(second)) {
		struct trace_access a = { .bytes = made_random(), .stream = 5, .end_ns = 1 };

		ASSERT_EQ(made_add(&m, w, &a), 0);
	}
	ASSERT_EQ(trace_finish(w, NULL), 0);
	ASSERT_EQ(trace_open(&r, second, 0), 0);
	EXPECT_GT(trace_next(r, &b), 0);
	EXPECT_EQ(trace_streams(r), 1);
	EXPECT_EQ(trace_names(r, TRACE_GROUP), 2);
	EXPECT_EQ(trace_name_of(r, TRACE_GROUP, 2)->parent, 1);
	trace_close(r);
	ASSERT_EQ(trace_open(&r, path, 0), 0);
	EXPECT_GT(trace_next(r, &b), 0);
	EXPECT_EQ(trace_streams(r), MADE_STREAMS);
	trace_close(r);
	free(m.a);
}

/* A file of the trace becomes full just when the writer adds a name (of a disk, cgroup, process or
 * file). The name must then be in exactly one file. */
TEST(names_are_in_the_row_once)
{
	char *path = scratch_path("trace");
	struct trace_writer *w = made_writer(path, TRACE_FILE_MIN, 0);
	u32 named = 0, seen = 0, n;
	bool more = true;

	made_streams(w);
	for (u32 i = 0; i < 50000; i++) {
		struct trace_access a = { .bytes = made_random(), .stream = 2, .end_ns = 1 };

		ASSERT_EQ(trace_add(w, &a), 0);
		if (i % 10 == 0)
			made_name(w, TRACE_DISK, 0, 1000 + named++);
	}
	ASSERT_EQ(trace_finish(w, NULL), 0);
	for (n = 0; more; n++) {
		const struct trace_batch *b;
		struct trace_reader *r;

		ASSERT_EQ(trace_open(&r, row_path(path, n), 0), 0);
		while (trace_next(r, &b) > 0)
			;
		for (u32 i = 1; i <= trace_names(r, TRACE_DISK); i++)
			seen += trace_name_of(r, TRACE_DISK, i)->id >= 1000;
		more = trace_state(r)->followed;
		trace_close(r);
	}
	EXPECT_EQ(seen, named);
	EXPECT_GT(n, 5);
}

TEST(old_files_are_removed)
{
	char *path = scratch_path("trace");
	struct trace_writer *w = made_writer(path, TRACE_FILE_MIN, 3);
	struct made m = {};
	u32 number = 1, first;

	made_streams(w);
	made_accesses(&m, w, 50000, 0, true);
	ASSERT_EQ(trace_finish(w, NULL), 0);
	EXPECT_TRUE(!exists(path));
	while (!exists(row_path(path, number)))
		number++;
	for (first = number; exists(row_path(path, number));)
		number++;
	EXPECT_EQ(number - first, 3);
	free(m.a);
}

/* iospan limits a trace to its last files, and removes older ones. Here, the traced program has
 * replaced an old file by a file of its own. iospan must not remove that file. */
TEST(another_file_of_an_old_name_stays)
{
	char *path = scratch_path("trace"), *other = scratch_path("other");
	struct trace_writer *w = made_writer(path, TRACE_FILE_MIN, 2);
	struct made m = {};
	char text[8] = "";
	FILE *f;

	f = fopen(other, "w");
	ASSERT_TRUE(f != NULL);
	fputs("other", f);
	fclose(f);
	ASSERT_EQ(rename(other, path), 0);
	made_streams(w);
	made_accesses(&m, w, 100000, 0, true);
	ASSERT_EQ(trace_finish(w, NULL), 0);
	EXPECT_TRUE(!exists(row_path(path, 1)));
	f = fopen(path, "r");
	ASSERT_TRUE(f != NULL);
	EXPECT_TRUE(fgets(text, sizeof(text), f) && !strcmp(text, "other"));
	fclose(f);
	free(m.a);
}

/* The trace's directory is in a directory of another user. This user replaces the trace's directory
 * by a link. iospan must not create a file through this link. */
TEST(no_file_is_made_through_a_replaced_directory)
{
	char *dir = scratch_path("dir"), *moved = scratch_path("moved");
	char *path = scratch_path("dir/trace"), *victim = scratch_path("victim");
	struct trace_write_options o = { .max_bytes = TRACE_FILE_MIN };
	struct trace_place place;

	ASSERT_EQ(mkdir(victim, 0700), 0);
	for (int round = 0; round < 2; round++) {
		struct trace_writer *w;
		struct made m = {};
		struct result r;

		ASSERT_EQ(mkdir(dir, 0700), 0);
		ASSERT_EQ(trace_place_open(&place, path), 0);
		ASSERT_EQ(trace_file_try(&place), 0);
		o.place = round ? &place : NULL;
		if (!round) /* round 0: the directory is replaced while the trace is written */
			ASSERT_EQ(trace_create(&w, path, NULL, &o), 0);
		ASSERT_EQ(rename(dir, moved), 0);
		ASSERT_EQ(symlink(victim, dir), 0);
		if (round) /* round 1: the directory is replaced before the trace is created */
			ASSERT_EQ(trace_create(&w, path, NULL, &o), 0);
		made_streams(w);
		made_accesses(&m, w, 50000, 0, true);
		EXPECT_EQ(trace_finish(w, NULL), -ENOENT);
		trace_place_close(&place);
		EXPECT_TRUE(exists(scratch_path("moved/trace.1")));
		EXPECT_EQ(rmdir(victim), 0);
		ASSERT_EQ(mkdir(victim, 0700), 0);
		ASSERT_EQ(unlink(dir), 0);
		r = run_command("rm -r '%s'", moved);
		run_free(&r);
		free(m.a);
	}
}

TEST(an_abandoned_trace_removes_no_other_file)
{
	char *path = scratch_path("trace"), *other = scratch_path("other");
	struct trace_writer *w = made_writer(path, 0, 0);
	FILE *f = fopen(other, "w");

	ASSERT_TRUE(f != NULL);
	fclose(f);
	ASSERT_EQ(rename(other, path), 0);
	trace_abandon(w);
	EXPECT_TRUE(exists(path));
	unlink(path);
	trace_abandon(made_writer(path, 0, 0));
	EXPECT_TRUE(!exists(path));
}

TEST(nothing_is_written_over)
{
	char *path = scratch_path("trace"), *third = scratch_path("trace.3");
	struct trace_write_options o = { .max_bytes = TRACE_FILE_MIN };
	struct trace_writer *w = made_writer(path, 0, 0);

	ASSERT_EQ(trace_finish(w, NULL), 0);
	EXPECT_EQ(trace_create(&w, path, NULL, NULL), -EEXIST);
	EXPECT_TRUE(w == NULL);
	ASSERT_EQ(rename(path, third), 0);
	EXPECT_EQ(trace_create(&w, path, NULL, &o), -EEXIST);
	EXPECT_TRUE(!exists(path));
	ASSERT_EQ(rename(third, scratch_path("trace.03")), 0);
	EXPECT_EQ(trace_create(&w, path, NULL, &o), 0);
	EXPECT_EQ(trace_finish(w, NULL), 0);
	o.max_bytes--;
	EXPECT_EQ(trace_create(&w, scratch_path("other"), NULL, &o), -EINVAL);
}

/* The files trace, trace.1, trace.2 ... must be found in order. Files with similar names must be
 * ignored. */
TEST(files_of_a_row_are_found)
{
	static const char *const names[] = {
		"trace.10", "trace.4294967295", "trace.2",	    "trace.0",
		"trace.03", "trace.4x",		"trace.4294967296", "trace.-5",
		"trace.",   "tracer.6",		"trace.1",
	};
	static const u32 found[] = { 1, 2, 10, 4294967295 };
	u32 *seen;
	size_t n;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		fclose(fopen(scratch_path(names[i]), "w"));
	seen = trace_file_numbers(scratch_path("trace"), &n);
	ASSERT_EQ(n, 4);
	EXPECT_EQ(memcmp(seen, found, sizeof(found)), 0);
	free(seen);
	EXPECT_TRUE(trace_file_numbers(scratch_path("none/trace"), &n) == NULL && n == 0);
}

TEST(links_and_devices_are_refused)
{
	char *path = scratch_path("trace"), *target = scratch_path("target");
	struct trace_writer *w;
	struct stat st;

	ASSERT_EQ(symlink(target, path), 0);
	EXPECT_EQ(trace_create(&w, path, NULL, NULL), -ELOOP);
	EXPECT_TRUE(!exists(target));
	ASSERT_EQ(unlink(path), 0);
	ASSERT_EQ(mkfifo(path, 0600), 0);
	EXPECT_LT(trace_create(&w, path, NULL, NULL), 0);
	EXPECT_LT(trace_create(&w, "/dev/null", NULL, NULL), 0);
	EXPECT_LT(trace_create(&w, "/dev/null/x", NULL, NULL), 0);
	ASSERT_EQ(unlink(path), 0);
	/* an empty file may be overwritten, because it may be from mktemp */
	ASSERT_EQ(mknod(path, S_IFREG | 0644, 0), 0);
	EXPECT_EQ(trace_create(&w, path, NULL, NULL), 0);
	EXPECT_EQ(trace_finish(w, NULL), 0);
	ASSERT_EQ(stat(path, &st), 0);
	EXPECT_EQ(st.st_mode & 07777, 0600);
}

/* A file of another user must be refused, because that user may have it open and read the trace. */
TEST(files_of_others_are_refused)
{
	char *path = scratch_path("trace");
	struct trace_writer *w;

	NEEDS(geteuid() == 0, "needs root, to give a file away");
	ASSERT_EQ(mknod(path, S_IFREG | 0644, 0), 0);
	ASSERT_EQ(chown(path, 65534, 65534), 0);
	EXPECT_EQ(trace_create(&w, path, NULL, NULL), -EINVAL);
}

TEST(other_files_are_refused)
{
	char *path = scratch_path("trace");
	struct trace_reader *r;
	FILE *f = fopen(path, "w");

	ASSERT_TRUE(f != NULL);
	EXPECT_EQ(trace_open(&r, path, 0), -EINVAL);
	EXPECT_TRUE(r == NULL);
	for (int i = 0; i < 1000; i++)
		fprintf(f, "# a text of some lines\n");
	fclose(f);
	EXPECT_EQ(trace_open(&r, path, 0), -EINVAL);
	EXPECT_EQ(trace_open(&r, scratch_dir(), 0), -EINVAL);
	EXPECT_EQ(trace_open(&r, "/dev/zero", 0), -EINVAL);
	EXPECT_EQ(trace_open(&r, scratch_path("none"), 0), -ENOENT);
}

TEST_MAIN
