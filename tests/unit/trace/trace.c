// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests that reading a trace returns exactly what was written. A trace consists of chunks: blocks
 * of accesses, of names (of disks, cgroups, processes, files), or of the sums that iospan
 * measured. */
#include "user/base/err.h"
#include "tests/unit/made-trace.h"
#include "user/base/out-read.h"
#include "user/trace/filter.h"
#include "user/trace/write.h"
#include "user/trace/trace-read.h"

static void finish(struct trace_writer *w)
{
	struct out *sums = out_object();

	out_u64(sums, "lost", 7);
	ASSERT_EQ(trace_finish(w, sums), 0);
	out_free(sums);
}

static void round_trip(u32 n, u32 chunk, bool wild)
{
	char *path = scratch_path("trace");
	struct trace_writer *w = made_writer(path, 0, 0);
	struct made m = {};
	struct trace_reader *r;
	struct stat st;

	made_streams(w);
	made_accesses(&m, w, n, chunk, wild);
	finish(w);
	ASSERT_EQ(trace_open(&r, path, ALL_COLUMNS), 0);
	EXPECT_EQ(made_compare(&m, r, 0), n);
	EXPECT_TRUE(trace_state(r)->whole && !trace_state(r)->followed);
	EXPECT_EQ(trace_state(r)->bad_chunks + trace_state(r)->ignored_bytes +
			  trace_state(r)->unknown + trace_state(r)->file,
		  0);
	EXPECT_EQ(trace_state(r)->written, n);
	EXPECT_EQ(trace_streams(r), MADE_STREAMS);
	EXPECT_STR(out_get_str(trace_meta(r), "command"), "dd");
	EXPECT_TRUE(trace_sums(r) != NULL);
	trace_close(r);
	ASSERT_EQ(stat(path, &st), 0);
	EXPECT_EQ(st.st_mode & 07777, 0600);
	ASSERT_EQ(unlink(path), 0);
	free(m.a);
}

TEST(accesses_are_read_as_written)
{
	round_trip(200000, 0, false);
}
TEST(any_bits_are_read_as_written)
{
	round_trip(100000, 0, true);
}
TEST(small_chunks)
{
	round_trip(1000, 7, true);
}
TEST(chunks_of_one)
{
	round_trip(100, 1, true);
}
TEST(no_accesses)
{
	round_trip(0, 0, false);
}
TEST(a_full_chunk)
{
	round_trip(TRACE_CHUNK, 0, true);
}
TEST(one_more_than_a_chunk)
{
	round_trip(TRACE_CHUNK + 1, 0, false);
}

/* In the first file of a trace, each name occurs once, with the number that trace_name()
 * returned. */
TEST(names_are_numbered)
{
	char *path = scratch_path("trace");
	struct trace_writer *w = made_writer(path, 0, 0);
	const struct trace_batch *b;
	struct trace_reader *r;
	u32 top, below, other;

	top = made_name(w, TRACE_GROUP, 0, 1);
	below = made_name(w, TRACE_GROUP, top, 1);
	other = made_name(w, TRACE_GROUP, 0, 2);
	EXPECT_EQ(top, 1);
	EXPECT_EQ(below, 2);
	EXPECT_EQ(other, 3);
	EXPECT_EQ(made_name(w, TRACE_GROUP, 1, 1), 2);
	for (u32 i = 0; i < 8; i++) {
		struct trace_name n = { TRACE_GROUP, 0, i / 4, i / 2 % 2, i % 2, "same", NULL };

		EXPECT_EQ(trace_name(w, &n), 4 + i);
	}
	EXPECT_EQ(made_name(w, TRACE_DISK, 0, 1), 1);
	for (u32 i = 1; i <= 5000; i++)
		EXPECT_EQ(made_name(w, TRACE_FILE, 0, i), i);
	for (u32 i = 1; i <= 5000; i += 7)
		EXPECT_EQ(made_name(w, TRACE_FILE, 0, i), i);
	ASSERT_EQ(trace_finish(w, NULL), 0);
	ASSERT_EQ(trace_open(&r, path, 0), 0);
	EXPECT_EQ(trace_next(r, &b), 0);
	EXPECT_EQ(trace_names(r, TRACE_FILE), 5000);
	for (u32 i = 1; i <= 5000; i++)
		ASSERT_EQ(trace_name_of(r, TRACE_FILE, i)->id, i);
	EXPECT_EQ(trace_name_of(r, TRACE_GROUP, below)->parent, top);
	EXPECT_TRUE(trace_name_of(r, TRACE_GROUP, 12) == NULL);
	EXPECT_TRUE(trace_name_of(r, TRACE_GROUP, 0) == NULL);
	EXPECT_TRUE(trace_sums(r) == NULL);
	EXPECT_TRUE(trace_state(r)->whole);
	trace_close(r);
}

TEST(long_names_are_cut)
{
	char *path = scratch_path("trace"), *text = malloc(3 * TRACE_TEXT);
	struct trace_writer *w = made_writer(path, 0, 0);
	struct trace_name n = { .kind = TRACE_FILE, .text = text };
	const struct trace_batch *b;
	struct trace_reader *r;

	memset(text, 'x', 3 * TRACE_TEXT);
	for (u32 i = 0; i < 3; i++) {
		text[TRACE_TEXT + i - 2] = '\0';
		EXPECT_EQ(trace_name(w, &n), i < 2 ? i + 1 : 2);
		text[TRACE_TEXT + i - 2] = 'x';
	}
	ASSERT_EQ(trace_finish(w, NULL), 0);
	ASSERT_EQ(trace_open(&r, path, 0), 0);
	EXPECT_EQ(trace_next(r, &b), 0);
	EXPECT_EQ(strlen(trace_name_of(r, TRACE_FILE, 1)->text), TRACE_TEXT - 2);
	EXPECT_EQ(strlen(trace_name_of(r, TRACE_FILE, 2)->text), TRACE_TEXT - 1);
	EXPECT_EQ(trace_state(r)->bad_chunks, 0);
	trace_close(r);
	free(text);
}

#define CONTAINER "/docker/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* The trace stores the path of a cgroup, and the names of its container. If the names do not fit,
 * it must store only the path. */
TEST(names_of_containers_are_kept)
{
	char *path = scratch_path("trace"), *text = calloc(1, TRACE_TEXT);
	struct trace_writer *w = made_writer(path, 0, 0);
	struct trace_name n = { .kind = TRACE_GROUP, .text = CONTAINER, .names = "shop/web-0/a" };
	const struct trace_batch *b;
	struct trace_reader *r;

	EXPECT_EQ(trace_name(w, &n), 1);
	n.text = memset(text, 'x', TRACE_TEXT - 8);
	EXPECT_EQ(trace_name(w, &n), 2);
	n = (struct trace_name){ .kind = TRACE_GROUP, .text = "/a" };
	EXPECT_EQ(trace_name(w, &n), 3);
	ASSERT_EQ(trace_finish(w, NULL), 0);
	ASSERT_EQ(trace_open(&r, path, 0), 0);
	EXPECT_EQ(trace_next(r, &b), 0);
	EXPECT_STR(trace_name_of(r, TRACE_GROUP, 1)->text, CONTAINER);
	EXPECT_STR(trace_name_of(r, TRACE_GROUP, 1)->names, "shop/web-0/a");
	EXPECT_EQ(strlen(trace_name_of(r, TRACE_GROUP, 2)->text), TRACE_TEXT - 8);
	EXPECT_TRUE(!trace_name_of(r, TRACE_GROUP, 2)->names);
	EXPECT_TRUE(!trace_name_of(r, TRACE_GROUP, 3)->names);
	EXPECT_EQ(trace_state(r)->bad_chunks, 0);
	trace_close(r);
	free(text);
}

TEST(filters_take_names_of_containers)
{
	const struct trace_name n = { .kind = TRACE_GROUP,
				      .text = CONTAINER,
				      .names = "shop/web-0/a" };
	const struct trace_name below = { .kind = TRACE_GROUP,
					  .text = CONTAINER "/b",
					  .names = "shop/web-0/a" };
	const struct trace_name unit = { .kind = TRACE_GROUP, .text = "/system.slice/web.service" };

	EXPECT_TRUE(trace_name_matches(&n, "pod=web*"));
	EXPECT_TRUE(trace_name_matches(&n, "namespace=shop"));
	EXPECT_TRUE(trace_name_matches(&n, "container=a"));
	EXPECT_TRUE(trace_name_matches(&n, "x,web-0"));
	EXPECT_TRUE(trace_name_matches(&n, "a"));
	EXPECT_TRUE(trace_name_matches(&n, "docker:a"));
	EXPECT_TRUE(!trace_name_matches(&n, "shop"));
	EXPECT_TRUE(!trace_name_matches(&n, "pod=a"));
	EXPECT_TRUE(!trace_name_matches(&n, "container=web*"));
	EXPECT_TRUE(!trace_name_matches(&below, "container=a"));
	EXPECT_TRUE(trace_name_matches(&unit, "web.*"));
	EXPECT_TRUE(!trace_name_matches(&unit, "pod=*"));
}

TEST(two_slashes_in_a_filter_of_cgroups_are_one)
{
	const struct trace_name n = { .kind = TRACE_GROUP, .text = "/a/b" };
	const struct trace_name imported = { .kind = TRACE_GROUP, .text = "a//b" };

	EXPECT_TRUE(trace_name_matches(&n, "//a///b"));
	EXPECT_TRUE(trace_name_matches(&n, "x,/a//*"));
	EXPECT_TRUE(!trace_name_matches(&n, "/a//c"));
	EXPECT_TRUE(trace_name_matches(&imported, "a//b"));
}

TEST(columns_are_left_out)
{
	static const unsigned wanted[] = { 0, TRACE_OFFSET, TRACE_QUEUED, TRACE_HELD, 7 };
	char *path = scratch_path("trace");
	struct trace_writer *w = made_writer(path, 0, 0);
	struct made m = {};
	struct trace_reader *r;

	made_streams(w);
	made_accesses(&m, w, 3000, 500, true);
	finish(w);
	for (u32 i = 0; i < 5; i++) {
		const struct trace_batch *b;

		ASSERT_EQ(trace_open(&r, path, wanted[i]), 0);
		EXPECT_EQ(made_compare(&m, r, 0), 3000);
		trace_close(r);
		ASSERT_EQ(trace_open(&r, path, wanted[i]), 0);
		ASSERT_EQ(trace_next(r, &b), 500);
		EXPECT_EQ(b->offset != NULL, wanted[i] & TRACE_OFFSET ? 1 : 0);
		EXPECT_EQ(b->queued_ns != NULL, wanted[i] & TRACE_QUEUED ? 1 : 0);
		EXPECT_EQ(b->held_ns != NULL, wanted[i] & TRACE_HELD ? 1 : 0);
		trace_close(r);
	}
	free(m.a);
}

/* The reader returns the accesses of a chunk as a batch (b). No access in a later chunk may start
 * before b->before_ns. A report relies on this: it treats the union of the accesses as final until
 * this time. */
TEST(before_is_the_first_start_of_later_chunks)
{
	char *path = scratch_path("trace");
	struct trace_writer *w = made_writer(path, 0, 0);
	static const u64 starts[] = { 50, 10, 70, 5, 90 };
	static const u64 before[] = { 5, 5, 5, 90, ~0ULL };
	const struct trace_batch *b;
	struct trace_reader *r;

	made_streams(w);
	for (u32 i = 0; i < 5; i++) {
		struct trace_access a = { .start_ns = starts[i], .end_ns = 100, .stream = 1 };

		ASSERT_EQ(trace_add(w, &a), 0);
		/* an access with TRACE_UNSPANNED has no interval, so the reader must ignore its
		 * times */
		a.flags = TRACE_UNSPANNED;
		a.start_ns = 1;
		a.end_ns = 1000;
		ASSERT_EQ(trace_add(w, &a), 0);
		ASSERT_EQ(trace_flush(w), 0);
	}
	ASSERT_EQ(trace_finish(w, NULL), 0);
	ASSERT_EQ(trace_open(&r, path, 0), 0);
	for (u32 i = 0; i < 5; i++) {
		ASSERT_EQ(trace_next(r, &b), 2);
		EXPECT_EQ(b->before_ns, before[i]);
		EXPECT_EQ(b->first_ns, starts[i]);
		EXPECT_EQ(b->last_ns, 100);
	}
	EXPECT_EQ(trace_state(r)->first_ns, 5);
	EXPECT_EQ(trace_state(r)->last_ns, 100);
	trace_close(r);
}

/* If the sums are too large for a chunk, they are left out. The rest of the trace must be
 * complete. */
TEST(huge_sums_are_refused)
{
	struct trace_writer *w;
	struct out *sums = out_object(), *list = out_array();
	struct trace_reader *r;

	for (u32 i = 0; i < 300000; i++)
		out_append_f64(list, i);
	out_put(sums, "list", list);
	EXPECT_EQ(trace_create(&w, scratch_path("other"), sums, NULL), -E2BIG);
	EXPECT_TRUE(w == NULL && access(scratch_path("other"), F_OK));
	w = made_writer(scratch_path("third"), 0, 0);
	EXPECT_EQ(trace_finish(w, sums), -E2BIG);
	ASSERT_EQ(trace_open(&r, scratch_path("third"), 0), 0);
	EXPECT_TRUE(trace_state(r)->whole && !trace_sums(r));
	trace_close(r);
	out_free(sums);
}

TEST(wrong_accesses_are_refused)
{
	struct trace_writer *w = made_writer(scratch_path("trace"), 0, 0);
	struct trace_access a = { .stream = 1 };

	EXPECT_EQ(trace_add(w, &a), -EINVAL);
	made_streams(w);
	EXPECT_EQ(trace_add(w, &a), 0);
	a.flags = 256;
	EXPECT_EQ(trace_add(w, &a), -EINVAL);
	a.flags = 0;
	a.stream = 0;
	EXPECT_EQ(trace_add(w, &a), -EINVAL);
	a.stream = MADE_STREAMS + 1;
	EXPECT_EQ(trace_add(w, &a), -EINVAL);
	EXPECT_EQ(trace_finish(w, NULL), 0);
	EXPECT_EQ(trace_finish(NULL, NULL), 0);
	trace_close(NULL);
}

TEST(parts_are_not_counted)
{
	struct trace_writer *w = made_writer(scratch_path("trace"), 0, 0);
	struct trace_access a = { .stream = 1 };
	u64 all = 0;

	made_streams(w);
	for (int i = 0; i < 5; i++) {
		a.flags = i < 2 ? TRACE_PART : 0;
		EXPECT_EQ(trace_add(w, &a), 0);
	}
	EXPECT_EQ(trace_flush(w), 0);
	for (u32 layer = 0; layer < LAYERS; layer++)
		all += trace_accesses(w, layer);
	EXPECT_EQ(all, 3);
	EXPECT_EQ(trace_finish(w, NULL), 0);
}

TEST(a_trace_that_lost_its_name_is_an_error)
{
	char *path = scratch_path("trace"), *other = scratch_path("other");

	for (int i = 0; i < 3; i++) {
		struct trace_writer *w;

		ASSERT_EQ(trace_create(&w, path, NULL, NULL), 0);
		if (i == 1)
			ASSERT_EQ(rename(path, other), 0);
		if (i == 2)
			ASSERT_TRUE(!unlink(path) && !rename(other, path));
		EXPECT_EQ(trace_finish(w, NULL), i ? -ENOENT : 0);
		unlink(path);
	}
}

TEST_MAIN
