/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes synthetic trace files, chunk by chunk. A chunk is a block of the file with a head and a
 * checksum. Tests change the contents; the checksums stay valid. */
#ifndef IOSPAN_TESTS_MADE_CHUNKS_H
#define IOSPAN_TESTS_MADE_CHUNKS_H

#include "user/trace/columns.h"
#include "user/trace/format.h"
#include "tests/unit/made-trace.h"
#include "user/trace/trace-read.h"

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

/* Makes the name of a process, and a stream that refers to it. A stream has the properties that
 * accesses share; here, only the process. The head of the name gets @fixed additional bytes, as in
 * a later version of the format. */
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

static size_t make_accesses(u8 *to)
{
	struct trace_batch b = {
		.n = MADE,
		.start_ns = starts,
		.end_ns = ends,
		.bytes = sizes,
		.offset = zeros,
		.queued_ns = zeros,
		.held_ns = zeros,
		.stream = streams,
		.flags = flags,
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
	.type = CHUNK_ACCESSES,
	.count = MADE,
	.first_ns = 50,
	.last_ns = 300,
};

static void put_accesses(struct chunk c, const u8 *payload, size_t size)
{
	c.stored = size;
	put_chunk(c, payload);
}

static struct trace_state state;

/* Returns the number of accesses that the reader finds in the file; ~0: it refuses the file. */
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

#endif
