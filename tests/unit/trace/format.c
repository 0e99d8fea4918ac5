// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the bytes of trace files: against the example in the manual page, and in files of later
 * versions. A stream is a combination of disk, cgroup, process and file that accesses share. */
#include "user/base/err.h"
#include "tests/unit/made-chunks.h"
#include "user/trace/trace-read.h"

static size_t read_dump(const char *page, u8 *to, size_t room)
{
	FILE *f = fopen(page, "r");
	unsigned at, byte;
	char line[256];
	size_t n = 0;

	ASSERT_TRUE(f != NULL);
	while (fgets(line, sizeof(line), f)) {
		char hex[48] = "";

		if (strncmp(line, "    ", 4) || strspn(line + 4, "0123456789abcdef") != 4 ||
		    sscanf(line + 4, "%4x  %47[0-9a-f ]", &at, hex) != 2)
			continue;
		ASSERT_EQ(at, n);
		for (char *p = hex; n < room && sscanf(p, " %2x", &byte) == 1; p += 3) {
			to[n++] = byte;
			if (strlen(p) <= 3)
				break;
		}
	}
	fclose(f);
	return n;
}

TEST(the_file_of_the_page)
{
	static const struct trace_access wanted[] = {
		{ .start_ns = 1000, .end_ns = 1500, .bytes = 4096, .offset = 8192 },
		{ .start_ns = 1200, .end_ns = 2100, .bytes = 4096, .offset = 12288 },
		{ .start_ns = 2200,
		  .end_ns = 2900,
		  .bytes = 8192,
		  .offset = 32768,
		  .flags = TRACE_FAILED },
	};
	const struct trace_batch *b;
	struct trace_reader *r;
	u8 bytes[4096];
	size_t n = read_dump("Documentation/trace-format.rst", bytes, sizeof(bytes));

	ASSERT_EQ(trace_open(&r, memory_file(bytes, n), ALL_COLUMNS), 0);
	ASSERT_EQ(trace_next(r, &b), 3);
	for (u32 i = 0; i < 3; i++)
		EXPECT_TRUE(same_access(b, i, &wanted[i]) && b->stream[i] == 1);
	EXPECT_STR(keep(stream_text(r, 1)), "2 1 0 0 266338304 0 0 vda - - - ");
	EXPECT_EQ(trace_next(r, &b), 0);
	EXPECT_TRUE(trace_meta(r) && !trace_sums(r));
	EXPECT_TRUE(trace_state(r)->whole && !trace_state(r)->ignored_bytes);
	EXPECT_EQ(trace_state(r)->row, 0x01a9f1d6e6fe1ae2);
	EXPECT_EQ(trace_state(r)->chunks, 4);
	trace_close(r);
}

/* A trace stores each offset as the difference from a predicted offset, see trace-format.rst. The
 * expected differences were computed by hand. Streams 4096 and 8192 share a prediction, because
 * their numbers are equal modulo 4096. The last access of stream 4096 has no offset, so "no offset"
 * is predicted for stream 8192. */
TEST(offsets_as_the_page_says)
{
	u64 offsets[] = { 100, TRACE_NO_OFFSET, TRACE_NO_OFFSET, 100 }, bytes[] = { 10, 5, 5, 9 };
	u64 zero[4] = {};
	u32 of[] = { 4096, 4096, 8192, 1 }, raw;
	u8 none[4] = {}, packed[PACKED_MAX(4)], *to = packed;
	struct trace_batch b = { 4, zero, zero, bytes, offsets, zero, zero, of, none, 0, 0, 0 };
	struct packer *p = packer_new();

	packer_room(p, 4);
	columns_pack(p, &b, packed, &raw);
	packer_free(p);
	while (*to != COLUMN_OFFSET)
		to += COLUMN_HEAD + get32(to + 4);
	EXPECT_EQ(to[1], 1);
	EXPECT_EQ(to[2], 0);
	EXPECT_EQ(get64(to + 8), -111ULL);
	EXPECT_EQ(get64(to + 16), 100);
	EXPECT_EQ(get32(to + 24), 4);
	EXPECT_EQ(get32(to + 28), 0x6f6f006f);
}

TEST(later_major_version_is_refused)
{
	struct trace_reader *r;

	begin(TRACE_MAJOR + 1, 0);
	EXPECT_EQ(trace_open(&r, memory_file(file, n), 0), -ENOTSUP);
	begin(0, 9);
	EXPECT_EQ(trace_open(&r, memory_file(file, n), 0), -ENOTSUP);
	begin(TRACE_MAJOR, 9);
	EXPECT_EQ(count(), 0);
}

/* A file of a later minor version, with all additions that it may have, must be readable. */
TEST(later_minor_version_is_read)
{
	u8 names[512], accesses[4096], column[COLUMN_HEAD + 5] = { 200, 99, 99, 99, 5 };
	size_t size;

	begin(TRACE_MAJOR, TRACE_MINOR + 1);
	put_plain(99, 5, "what is this", 12);
	size = make_names(names, 1, NAME_FIXED + 10);
	memcpy(names + size, "\x06\0\x63\0??", 6);
	put_plain(CHUNK_NAMES, 3, names, size + 6);
	memcpy(accesses, column, sizeof(column));
	size = make_accesses(accesses + sizeof(column)) + sizeof(column);
	memcpy(accesses + size, column, sizeof(column));
	put_accesses(three, accesses, size + sizeof(column));
	EXPECT_EQ(count(), MADE);
	EXPECT_EQ(state.bad_chunks + state.unknown + state.ignored_bytes, 0);
}

TEST(unknown_operation_is_dropped)
{
	u8 names[512], accesses[4096];
	size_t size = make_names(names, 1, NAME_FIXED);

	begin(TRACE_MAJOR, TRACE_MINOR);
	names[NAME_HEAD + NAME_FIXED + 2 + 9] = OP_MAX;
	put_plain(CHUNK_NAMES, 2, names, size);
	put_accesses(three, accesses, make_accesses(accesses));
	EXPECT_EQ(count(), 0);
	EXPECT_EQ(state.unknown, MADE);
	EXPECT_EQ(state.bad_chunks, 0);
}

TEST_MAIN
