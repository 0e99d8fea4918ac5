// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests hostile trace files, with valid checksums but invalid contents. A file consists of chunks:
 * blocks with a head, and names or accesses. Accesses are stored in columns, one per field; a name
 * belongs to a disk, cgroup, process or file. */
#include "tests/unit/made-chunks.h"

/* Each entry makes a valid file invalid: the .width bytes at offset .at become .value. If .column
 * is not 0, .at is an offset in column .column of the accesses. If .column is 0, .at is an offset
 * in the names. */
static const struct harm {
	const char *what;
	unsigned column, at, width;
	u64 value;
} harms[] = {
	{ "number 0", 0, 4, 4, 0 },
	{ "number beyond the file", 0, 4, 4, 1000000 },
	{ "length 0", 0, 0, 2, 0 },
	{ "length of all and more", 0, 0, 2, 1000 },
	{ "short fixed part", 0, 3, 1, NAME_FIXED - 1 },
	{ "fixed part beyond the length", 0, 3, 1, 250 },
	{ "9 planes", COLUMN_BYTES, 1, 1, 9 },
	{ "more planes than bytes", COLUMN_HELD, 1, 1, 1 },
	{ "shift 64", COLUMN_QUEUED, 2, 1, 64 },
	{ "column twice", COLUMN_QUEUED, 0, 1, COLUMN_HELD },
	{ "no end", COLUMN_END, 0, 1, 99 },
	{ "no bytes", COLUMN_BYTES, 0, 1, 99 },
	{ "column beyond the payload", COLUMN_HELD, 4, 4, 1 << 30 },
	{ "column shorter than its planes", COLUMN_BYTES, 4, 4, 2 },
	{ "column longer than its planes", COLUMN_HELD, 4, 4, COLUMN_HEAD + 5 },
	{ "plane beyond the column", COLUMN_BYTES, COLUMN_HEAD, 4, ~0U },
	{ "plane shorter than the column", COLUMN_BYTES, COLUMN_HEAD, 4, 1 },
	{ "plane of 2 bytes, no zstd", COLUMN_BYTES, COLUMN_HEAD, 4, 2 },
	{ "other ends", COLUMN_END, 16, 8, 90 },
	{ "other starts", COLUMN_DURATION, 8, 8, 60 },
	{ "stream beyond 32 bits", COLUMN_STREAM, 8, 8, (1ULL << 32) + 1 },
	{ "flags beyond 8 bits", COLUMN_FLAGS, 8, 8, 256 },
};

static void change(u8 *to, const struct harm *h)
{
	while (h->column && *to != h->column)
		to += COLUMN_HEAD + get32(to + 4);
	if (h->width == 8)
		put64(to + h->at, h->value);
	else if (h->width == 4)
		put32(to + h->at, h->value);
	else if (h->width == 2)
		put16(to + h->at, h->value);
	else
		to[h->at] = h->value;
}

TEST(harm_with_right_checksums)
{
	static const u8 unknown[COLUMN_HEAD + 5] = { 200, 0, 0, 0, 5 };
	u8 names[512], accesses[4096];

	for (size_t i = 0; i < sizeof(harms) / sizeof(*harms); i++) {
		size_t names_size = make_names(names, 1, NAME_FIXED);
		size_t size = make_accesses(accesses);

		printf("%s\n", harms[i].what);
		memcpy(accesses + size, unknown, sizeof(unknown));
		begin(TRACE_MAJOR, TRACE_MINOR);
		change(harms[i].column ? accesses : names, &harms[i]);
		put_plain(CHUNK_NAMES, 2, names, names_size);
		put_accesses(three, accesses, size + sizeof(unknown));
		EXPECT_EQ(count(), 0);
		EXPECT_EQ(state.bad_chunks, 1);
		EXPECT_EQ(state.unknown, harms[i].column ? 0 : MADE);
	}
}

/* Counts and times in a chunk's head must match its accesses. */
TEST(heads_and_accesses_differ)
{
	u8 names[512], accesses[4096];
	size_t names_size = make_names(names, 1, NAME_FIXED), size = make_accesses(accesses);
	static const struct chunk heads[] = {
		{ .count = 0, .first_ns = 50, .last_ns = 300 },
		{ .count = 1, .first_ns = 50, .last_ns = 300 },
		{ .count = 2, .first_ns = 50, .last_ns = 300 },
		{ .count = 4, .first_ns = 50, .last_ns = 300 },
		{ .count = TRACE_CHUNK, .first_ns = 50, .last_ns = 300 },
		{ .count = TRACE_CHUNK + 1, .first_ns = 50, .last_ns = 300 },
		{ .count = ~0U, .first_ns = 50, .last_ns = 300 },
		{ .count = MADE, .first_ns = 49, .last_ns = 300 },
		{ .count = MADE, .first_ns = 51, .last_ns = 300 },
		{ .count = MADE, .first_ns = 50, .last_ns = 299 },
		{ .count = MADE, .first_ns = 50, .last_ns = 301 },
		{ .count = MADE, .first_ns = ~0ULL, .last_ns = 0 },
	};

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		struct chunk c = heads[i];

		c.type = CHUNK_ACCESSES;
		begin(TRACE_MAJOR, TRACE_MINOR);
		put_plain(CHUNK_NAMES, 2, names, names_size);
		put_accesses(c, accesses, size);
		EXPECT_EQ(count(), 0);
		EXPECT_EQ(state.bad_chunks, 1);
	}
}

/* A column of constant values takes no bytes. So a tiny file can claim any number of accesses. */
TEST(counts_out_of_nothing)
{
	u8 names[512], column[COLUMN_HEAD] = {}, accesses[8 * COLUMN_HEAD], *to = accesses;
	size_t names_size = make_names(names, 1, NAME_FIXED);
	static const u32 counts[] = { TRACE_CHUNK + 1, 1 << 20, 1U << 31, ~0U };

	for (u8 id = COLUMN_END; id < COLUMNS; id++) {
		*column = id;
		put64(column + 8, id == COLUMN_STREAM);
		to = mempcpy(to, column, COLUMN_HEAD);
	}
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct chunk c = { .type = CHUNK_ACCESSES, .count = counts[i] };

		begin(TRACE_MAJOR, TRACE_MINOR);
		put_plain(CHUNK_NAMES, 2, names, names_size);
		put_accesses(c, accesses, to - accesses);
		EXPECT_EQ(count(), 0);
		EXPECT_EQ(state.bad_chunks, 1);
	}
}

/* A tiny file can contain names that decompress to a huge size. */
TEST(names_out_of_nothing)
{
	static u8 names[100 * 64], packed[sizeof(names)];
	struct packer *p = packer_new();
	struct chunk c = { .type = CHUNK_NAMES };
	size_t size = 0;

	for (u32 i = 0; i < 100 && size < sizeof(names) - 100; i++)
		size += make_names(names + size, 1, NAME_FIXED);
	c.raw = size;
	c.stored = bytes_pack(p, packed, names, size);
	packer_free(p);
	ASSERT_TRUE(c.stored && c.raw > NAMES_RATIO * c.stored);
	begin(TRACE_MAJOR, TRACE_MINOR);
	put_chunk(c, packed);
	EXPECT_EQ(count(), 0);
	EXPECT_EQ(state.bad_chunks, 1);
}

TEST(invalid_payloads)
{
	u8 zero[64] = {};

	begin(TRACE_MAJOR, TRACE_MINOR);
	put_chunk((struct chunk){ .type = CHUNK_NAMES, .stored = 64, .raw = RAW_MAX }, zero);
	put_chunk((struct chunk){ .type = CHUNK_META, .stored = 64, .raw = RAW_MAX }, zero);
	put_chunk((struct chunk){ .type = CHUNK_META, .stored = 0, .raw = 0 }, zero);
	put_chunk((struct chunk){ .type = CHUNK_END, .stored = 3, .raw = 3 }, zero);
	EXPECT_EQ(count(), 0);
	EXPECT_EQ(state.bad_chunks, 4);
	EXPECT_TRUE(!state.whole);
	EXPECT_EQ(state.ignored_bytes, 4 * CHUNK_HEAD + 64 + 64 + 3);
}

/* These JSON texts would need many times their length in memory, or a very deep stack. */
TEST(harm_in_objects)
{
	static const struct {
		const char *begin, *again, *end;
		u32 times;
		bool good;
	} objects[] = {
		{ "[{}", ",{}", "]", 65000, true }, { "[1", ",2", "]", 260000, true },
		{ "[1", ",2", "]", 263000, false }, { "[{}", ",{}", "]", 66000, false },
		{ "", "[", "", 1000, false },	    { "", "[", "", 100000, false },
		{ "[1", ",", "]", 10, false },
	};

	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		char *text;
		size_t size;
		FILE *f = open_memstream(&text, &size);

		fputs(objects[i].begin, f);
		for (u32 n = 0; n < objects[i].times; n++)
			fputs(objects[i].again, f);
		fputs(objects[i].end, f);
		fclose(f);
		begin(TRACE_MAJOR, TRACE_MINOR);
		put_plain(CHUNK_SUMS, 0, text, size);
		EXPECT_EQ(count(), 0);
		EXPECT_EQ(state.bad_chunks, objects[i].good ? 0 : 1);
		free(text);
	}
}

TEST_MAIN
