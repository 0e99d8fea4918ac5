// SPDX-License-Identifier: GPL-2.0-or-later
/* The bytes of a trace: as the page says; of later versions, what can be read; and from
 * whoever means harm, with right checksums, nothing but an error. */
#include "../../user/err.h"
#include "../../user/trace-columns.h"
#include "../../user/trace-format.h"
#include "made-trace.h"

/* ---- the page ---- */

/* The bytes of the dump in @page. */
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
		{ .start_ns = 2200, .end_ns = 2900, .bytes = 8192, .offset = 32768,
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

/* ---- files made by hand ---- */

static u8 file[1 << 20];
static size_t n;
static u32 chunks;

static void begin(u16 major, u16 minor)
{
	file_head_put(file, &(struct file_head){ major, minor, 77 });
	n = FILE_HEAD;
	chunks = 0;
}

static void put_chunk(struct chunk c, const void *payload)
{
	c.id = 77;
	c.number = chunks++;
	c.payload_crc = trace_crc(payload, c.stored);
	chunk_put(file + n, &c);
	memcpy(file + n + CHUNK_HEAD, payload, c.stored);
	n += CHUNK_HEAD + c.stored;
}

static void put_plain(u16 type, u32 count, const void *payload, size_t size)
{
	put_chunk((struct chunk){ .type = type, .count = count, .stored = size, .raw = size },
		  payload);
}

/* A stream of one process; @fixed beyond its length is of a later version. */
static size_t make_names(u8 *to, u32 number, u8 fixed)
{
	size_t length = NAME_HEAD + fixed + 2, stream = NAME_HEAD + STREAM_FIXED + 9;

	memset(to, 0, length + stream);
	put16(to, length);
	to[2] = TRACE_PROCESS;
	to[3] = fixed;
	put32(to + 4, number);
	memcpy(to + NAME_HEAD + fixed, "dd", 2);
	to += length;
	put16(to, stream);
	to[2] = KIND_STREAM;
	to[3] = STREAM_FIXED + 3;
	put32(to + 4, number);
	put32(to + 20, number);
	return length + stream;
}

#define MADE 3
static u64 ends[] = { 100, 200, 300 }, starts[] = { 50, 150, 250 }, zeros[MADE];
static u64 sizes[] = { 512, 4096, 70000 };
static u32 streams[] = { 1, 1, 1 };
static u8 flags[MADE];

/* Three accesses, packed. */
static size_t make_accesses(u8 *to)
{
	struct trace_batch b = {
		.n = MADE, .start_ns = starts, .end_ns = ends, .bytes = sizes,
		.offset = zeros, .queued_ns = zeros, .held_ns = zeros,
		.stream = streams, .flags = flags,
	};
	struct packer *p = packer_new();
	size_t size;
	u32 raw;

	packer_room(p, MADE);
	size = columns_pack(p, &b, to, &raw);
	packer_free(p);
	return size;
}

static const struct chunk three = {
	.type = CHUNK_ACCESSES, .count = MADE, .first_ns = 50, .last_ns = 300,
};

static void put_accesses(struct chunk c, const u8 *payload, size_t size)
{
	c.stored = size;
	put_chunk(c, payload);
}

static struct trace_state state;

/* How many accesses the file has; ~0: it is refused. */
static u32 count(void)
{
	const struct trace_batch *b;
	struct trace_reader *r;
	u32 seen = 0;
	int ret;

	if (trace_open(&r, memory_file(file, n), ALL_COLUMNS))
		return ~0U;
	while ((ret = trace_next(r, &b)) > 0) {
		seen += ret;
		EXPECT_TRUE(b->end_ns[0] == 100 && b->start_ns[2] == 250 && b->bytes[1] == 4096);
	}
	state = *trace_state(r);
	trace_close(r);
	return seen;
}

/* ---- versions ---- */

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

/* All that a later minor version may add at once. */
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

/* An operation of a later version has no name here: its accesses are left out. */
TEST(unknown_operation_is_left_out)
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

/* ---- harm ---- */

/* One change to names or accesses, at @at; the checksums are right. */
static const struct harm {
	const char *what;
	bool names;
	unsigned at, width;
	u64 value;
} harms[] = {
	{ "number 0", true, 4, 4, 0 },
	{ "number beyond the file", true, 4, 4, 1000000 },
	{ "length 0", true, 0, 2, 0 },
	{ "length of all and more", true, 0, 2, 1000 },
	{ "short fixed part", true, 3, 1, NAME_FIXED - 1 },
	{ "fixed part beyond the length", true, 3, 1, 250 },
	{ "9 planes", false, 1, 1, 9 },
	{ "shift 64", false, 2, 1, 64 },
	{ "column twice", false, 0, 1, COLUMN_BYTES },
	{ "no end", false, 0, 1, 99 },
	{ "column beyond the payload", false, 4, 4, 1 << 30 },
	{ "column shorter than its planes", false, 4, 4, 2 },
	{ "plane beyond the column", false, COLUMN_HEAD, 4, ~0U },
	{ "plane shorter than the column", false, COLUMN_HEAD, 4, 1 },
	{ "plane of 2 bytes, no zstd", false, COLUMN_HEAD, 4, 2 },
	{ "ends that the head does not say", false, 16, 8, 90 },
	{ "begins that the head does not say", false, 8, 8, 1 },
};

static void change(u8 *to, const struct harm *h)
{
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
	u8 names[512], accesses[4096];

	for (size_t i = 0; i < sizeof(harms) / sizeof(*harms); i++) {
		size_t names_size = make_names(names, 1, NAME_FIXED);
		size_t size = make_accesses(accesses);

		printf("%s\n", harms[i].what);
		begin(TRACE_MAJOR, TRACE_MINOR);
		change(harms[i].names ? names : accesses, &harms[i]);
		put_plain(CHUNK_NAMES, 2, names, names_size);
		put_accesses(three, accesses, size);
		EXPECT_EQ(count(), 0);
		EXPECT_EQ(state.bad_chunks, 1);
		EXPECT_EQ(state.unknown, harms[i].names ? MADE : 0);
	}
}

/* Counts and lengths in the head of the chunk. */
TEST(harm_in_heads)
{
	u8 names[512], accesses[4096], zero[64] = {};
	size_t names_size = make_names(names, 1, NAME_FIXED), size = make_accesses(accesses);
	static const u32 counts[] = { 0, 1, 2, 4, TRACE_CHUNK, TRACE_CHUNK + 1, ~0U };

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct chunk c = three;

		begin(TRACE_MAJOR, TRACE_MINOR);
		put_plain(CHUNK_NAMES, 2, names, names_size);
		c.count = counts[i];
		put_accesses(c, accesses, size);
		EXPECT_EQ(count(), 0);
		EXPECT_EQ(state.bad_chunks, 1);
	}
	begin(TRACE_MAJOR, TRACE_MINOR);	/* names out of nothing */
	put_chunk((struct chunk){ .type = CHUNK_NAMES, .stored = 64, .raw = RAW_MAX }, zero);
	put_chunk((struct chunk){ .type = CHUNK_META, .stored = 64, .raw = RAW_MAX }, zero);
	put_chunk((struct chunk){ .type = CHUNK_META, .stored = 0, .raw = 0 }, zero);
	put_chunk((struct chunk){ .type = CHUNK_END, .stored = 3, .raw = 3 }, zero);
	EXPECT_EQ(count(), 0);
	EXPECT_EQ(state.bad_chunks, 4);
	EXPECT_TRUE(!state.whole);
	EXPECT_EQ(state.ignored_bytes, 4 * CHUNK_HEAD + 64 + 64 + 3);
}

/* JSON that would take a gigabyte of memory, from a file of some KiB. */
TEST(harm_in_objects)
{
	static u8 meta[TRACE_OBJECT / 16];

	begin(TRACE_MAJOR, TRACE_MINOR);
	memset(meta + META_FIXED, '[', sizeof(meta) - META_FIXED);
	put_plain(CHUNK_META, 0, meta, sizeof(meta));
	memset(meta, '[', sizeof(meta) / 2);
	memset(meta + sizeof(meta) / 2, ']', sizeof(meta) / 2);
	put_plain(CHUNK_SUMS, 0, meta, sizeof(meta));
	EXPECT_EQ(count(), 0);
	EXPECT_EQ(state.bad_chunks, 2);
}

TEST_MAIN
