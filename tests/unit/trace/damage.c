// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests damaged trace files. A file has a head and then chunks. A chunk is a block with a head and
 * a checksum. It contains accesses, or names of disks, cgroups, processes and files; accesses refer
 * to these names. */
#include "user/trace/format.h"
#include "tests/unit/made-trace.h"
#include "user/trace/write.h"
#include "user/trace/trace-read.h"

#define ACCESSES 60
#define CHUNK 10

static struct made made;
static u8 *whole, *bytes;
static size_t size;

static u32 make_stream(struct trace_writer *w, u32 i)
{
	u32 chunk = i / CHUNK, top = made_name(w, TRACE_GROUP, 0, 100);
	struct trace_stream s = { .op = chunk, .layer = i % LAYERS };
	u32 *refs[TRACE_KINDS] = { &s.disk, &s.group, &s.process, &s.file };

	for (u32 c = chunk; c < chunk + 2; c++) {
		u32 kind = c % TRACE_KINDS;
		u32 number = made_name(w, kind, kind == TRACE_GROUP ? top : 0, c);

		if (c == chunk)
			*refs[kind] = number;
	}
	return trace_stream(w, &s);
}

static u8 *make_trace(const char *name, struct made *to)
{
	char *path = scratch_path(name);
	struct out *about = out_object();
	struct trace_writer *w;
	u64 now = 1000000;

	out_str(about, "what", "damage");
	ASSERT_EQ(trace_create(&w, path, about, NULL), 0);
	for (u32 i = 0; i < ACCESSES; i++) {
		struct trace_access a = made_access(&now, true);

		a.stream = make_stream(w, i);
		ASSERT_LE(a.stream, MADE_STREAMS);
		ASSERT_EQ(made_add(to, w, &a), 0);
		if (i % CHUNK == CHUNK - 1)
			ASSERT_EQ(trace_flush(w), 0);
	}
	ASSERT_EQ(trace_finish(w, about), 0);
	out_free(about);
	return file_bytes(path, &size);
}

static void make(void)
{
	whole = make_trace("trace", &made);
	bytes = malloc(4 * size);
	memcpy(bytes, whole, size);
}

/* Reads the trace, cut after @n bytes. Returns the number of accesses; ~0: the reader refuses the
 * file. */
static u32 read_rest(size_t n, struct trace_state *state)
{
	struct trace_reader *r;
	u32 seen;

	if (trace_open(&r, memory_file(bytes, n), ALL_COLUMNS))
		return ~0U;
	seen = made_compare(&made, r, 0);
	*state = *trace_state(r);
	trace_close(r);
	return seen;
}

/* Cuts the trace after each byte in turn. All chunks before the cut must be read. */
TEST_TIMEOUT(cut_at_every_byte, 300)
{
	struct trace_state s;
	u32 before = 0, seen;

	make();
	for (size_t n = 0; n <= size; n++) {
		seen = read_rest(n, &s);
		if (n < 24) { /* not even the file head is complete */
			EXPECT_EQ(seen, ~0U);
			continue;
		}
		ASSERT_EQ(seen % CHUNK, 0);
		ASSERT_GE(seen, before);
		ASSERT_EQ(s.whole, n == size);
		ASSERT_EQ(s.bad_chunks + s.unknown, 0);
		before = seen;
	}
	EXPECT_EQ(before, ACCESSES);
	EXPECT_EQ(s.ignored_bytes, 0);
}

/* A file head without its last byte must be refused, even if this byte was zero. */
TEST(cut_head_is_refused)
{
	struct file_head h = { TRACE_MAJOR, 0, 0 };
	u8 head[FILE_HEAD];
	struct trace_reader *r;

	do {
		h.id++;
		file_head_put(head, &h);
	} while (head[FILE_HEAD - 1]);
	EXPECT_TRUE(trace_open(&r, memory_file(head, FILE_HEAD - 1), ALL_COLUMNS) < 0);
	ASSERT_EQ(trace_open(&r, memory_file(head, FILE_HEAD), ALL_COLUMNS), 0);
	trace_close(r);
}

/* Returns the distance between flipped bits. With 1, the test flips each bit. With 7, it flips one
 * or two bits of each byte, which is faster. */
static unsigned bits_apart(void)
{
#ifdef __SANITIZE_ADDRESS__
	return 7;
#endif
	return test_rounds(10) < 10 ? 7 : 1;
}

/* If a bit is flipped, the reader may lose the accesses in the same chunk. It may also lose later
 * accesses that need a name in that chunk. It must return all others. */
TEST_TIMEOUT(every_bit_flipped, 300)
{
	struct trace_state s;

	make();
	for (size_t i = 0; i < 8 * size; i += bits_apart()) {
		u32 seen;

		bytes[i / 8] ^= 1 << i % 8;
		seen = read_rest(size, &s);
		ASSERT_NE(seen, ~0U);
		/* the reader can do without the file head, because all chunks repeat it; so no
		 * access is lost */
		if (i / 8 < 24) {
			ASSERT_EQ(seen, ACCESSES);
		} else {
			ASSERT_TRUE(s.bad_chunks == 1 || (!s.whole && !s.bad_chunks));
			ASSERT_TRUE(seen + CHUNK >= ACCESSES || s.unknown);
			ASSERT_GT(s.ignored_bytes, 0);
		}
		bytes[i / 8] = whole[i / 8];
	}
	EXPECT_EQ(read_rest(size, &s), ACCESSES);
	EXPECT_EQ(s.bad_chunks, 0);
}

static void check_all_rest(u32 round)
{
	struct trace_state s;
	u32 seen = read_rest(size, &s);

	if (seen != ~0U && seen != ACCESSES && s.whole && !s.bad_chunks) {
		printf("round %u: %u accesses, but no loss is reported\n", round, seen);
		ASSERT_TRUE(false);
	}
}

TEST_TIMEOUT(zeros_and_garbage, 300)
{
	make();
	for (u32 round = 0, rounds = test_rounds(4000); round < rounds; round++) {
		size_t n = 1 + made_below(round % 2 ? 32 : size), at = made_below(size);

		for (size_t i = at; i < size && i < at + n; i++)
			bytes[i] = round % 3 ? made_random() : 0;
		check_all_rest(round);
		memcpy(bytes, whole, size);
	}
}

/* Moves or duplicates bytes at random, sometimes whole chunks. The reader must return only correct
 * accesses. */
TEST_TIMEOUT(bytes_that_moved, 300)
{
	struct trace_state s;

	make();
	for (u32 round = 0, rounds = test_rounds(4000); round < rounds; round++) {
		size_t from = made_below(size), to = made_below(size), n;

		n = from > to ? size - from : size - to;
		n = 1 + made_below(n);
		memcpy(bytes + to, whole + from, n);
		check_all_rest(round);
		memcpy(bytes, whole, size);

		memmove(bytes + to, whole + from, size - from);
		read_rest(to + size - from, &s);
		memcpy(bytes, whole, size);
	}
}

TEST(appended_trace_is_ignored)
{
	struct trace_state s;

	make();
	memcpy(bytes + size, whole, size);
	EXPECT_EQ(read_rest(2 * size, &s), ACCESSES);
	EXPECT_EQ(s.ignored_bytes, size);
	EXPECT_TRUE(s.whole);
}

/* After a crash, a file may end with blocks of the disk that still hold chunks of an older trace.
 * These chunks have the id of the older trace, so the reader must ignore them. */
TEST(foreign_chunks_are_ignored)
{
	struct made others = {};
	struct trace_state s;
	size_t own_size;
	u8 *other;

	make();
	own_size = size;
	other = make_trace("other", &others);
	for (size_t at = 100; at < size && at < own_size; at += 100) {
		memcpy(bytes, whole, at);
		memcpy(bytes + at, other + at, size - at);
		read_rest(size, &s);
		ASSERT_TRUE(!s.whole);
	}
	free(others.a);
	free(other);
}

/* The reader must find the next chunk after garbage of any length. The chunk may start anywhere in
 * the reader's buffer, also at its end. */
TEST(any_length_of_garbage)
{
	struct trace_state s;
	size_t window = 256 << 10, at = 24;
	u32 seen;

	make();
	bytes = realloc(bytes, size + window + 200);
	for (size_t n = window - 100; n < window + 100; n++) {
		memset(bytes + at, 'i', n);
		memcpy(bytes + at + n, whole + at, size - at);
		seen = read_rest(size + n, &s);
		ASSERT_EQ(seen, ACCESSES);
		ASSERT_EQ(s.ignored_bytes, n);
	}
}

TEST(holes_are_skipped)
{
	struct trace_reader *r;
	const char *path;
	int fd;

	make();
	path = memory_file(bytes, size - 2000);
	fd = open(path, O_RDWR);
	ASSERT_EQ(pwrite(fd, whole + size - 700, 700, 1ULL << 40), 700);
	ASSERT_EQ(trace_open(&r, path, 0), 0);
	EXPECT_GT(made_compare(&made, r, 0), 0);
	EXPECT_TRUE(trace_state(r)->whole);
	EXPECT_GT(trace_state(r)->bad_chunks, 0);
	trace_close(r);
	close(fd);
}

TEST_MAIN
