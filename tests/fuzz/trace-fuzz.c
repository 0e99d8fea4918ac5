// SPDX-License-Identifier: GPL-2.0-or-later
/* Fuzzes the reader of traces. The reader skips data with wrong checksums, so three of four files
 * get valid checksums. The reader refuses a file with random lengths early. So in half of the
 * files, only a few fields change, and each gets a likely value. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "bpf/abi.h"
#include "user/trace/columns.h"
#include "user/trace/format.h"
#include "user/trace/trace.h"
#include "user/trace/trace-read.h"
#include "user/trace/write.h"

#define CHECK(holds) \
	do { \
		if (!(holds)) \
			abort(); \
	} while (0)

size_t LLVMFuzzerMutate(u8 *data, size_t size, size_t max_size);

/* Corrects the checksum of the file's head, and those of the head and payload of each chunk. */
static void mend_checksums(u8 *data, size_t size)
{
	u8 *end = data + size, *p = data;

	if (size >= FILE_HEAD)
		put32(data + 20, trace_crc(data, 20));
	while ((p = memmem(p, end - p, CHUNK_MAGIC, 4)) && end - p >= CHUNK_HEAD) {
		size_t room = end - p - CHUNK_HEAD, stored = get32(p + 16);

		memcpy(p + 4, data + 12, 4); /* gives the chunk the id of the file */
		if (stored <= room)
			put32(p + 56, trace_crc(p + CHUNK_HEAD, stored));
		put32(p + 60, trace_crc(p, 60));
		p += CHUNK_HEAD;
	}
}

static u32 below(u32 n)
{
	return (u32)rand() % n;
}

/* Returns a random complete chunk of the file, or NULL if there is none. */
static u8 *any_chunk(u8 *data, size_t size)
{
	u8 *p = data, *end = data + size, *found = NULL;
	u32 seen = 0;

	while ((p = memmem(p, end - p, CHUNK_MAGIC, 4)) && end - p >= CHUNK_HEAD) {
		if (get32(p + 16) <= (size_t)(end - p - CHUNK_HEAD) && !below(++seen))
			found = p;
		p += CHUNK_HEAD;
	}
	return found;
}

/* Returns a likely value for a field of the chunk. @now: the present value of the field. The result
 * may be near @now. */
static u32 likely_value(const u8 *chunk, u32 now)
{
	u32 some[] = { 0,
		       1,
		       2,
		       3,
		       4,
		       8,
		       9,
		       64,
		       99,
		       255,
		       ~0U,
		       now + 1,
		       now - 1,
		       now * 2,
		       get32(chunk + 16),
		       get32(chunk + 24),
		       get32(chunk + 24) + 1,
		       now + get32(chunk + 24),
		       now + COLUMN_HEAD };

	return some[below(sizeof(some) / sizeof(*some))];
}

/* Changes one field of a random chunk, or removes bytes at its end. Returns the new size of the
 * file. */
static size_t change_chunk(u8 *data, size_t size)
{
	u8 *chunk = any_chunk(data, size), *field, *end;
	u32 stored = chunk ? get32(chunk + 16) : 0, width = 1 << below(3), now = 0;

	if (!chunk)
		return size;
	end = chunk + CHUNK_HEAD + stored;
	if (!below(4) && stored) { /* removes up to 40 bytes at the end of the chunk */
		u32 n = 1 + below(stored < 40 ? stored : 40);

		memmove(end - n, end, data + size - end);
		put32(chunk + 16, stored - n);
		if (get32(chunk + 20) == stored)
			put32(chunk + 20, stored - n);
		return size - n;
	}
	field = chunk + 12 + below(end - chunk - 12);
	if (field + width > end)
		return size;
	memcpy(&now, field, width);
	now = likely_value(chunk, now);
	memcpy(field, &now, width);
	return size;
}

size_t LLVMFuzzerCustomMutator(u8 *data, size_t size, size_t max_size, unsigned seed)
{
	srand(seed);
	if (seed % 4 > 1) {
		for (u32 n = 1 + below(3); n; n--)
			size = change_chunk(data, size);
	} else {
		size = LLVMFuzzerMutate(data, size, max_size);
	}
	if (seed % 4)
		mend_checksums(data, size);
	return size;
}

static void check_name(const struct trace_reader *r, u32 kind, u32 number)
{
	const struct trace_name *n = trace_name_of(r, kind, number);

	CHECK(!number || (n && n->kind == kind && strlen(n->text) < TRACE_TEXT));
	if (n && n->parent) {
		CHECK(kind == TRACE_GROUP);
		CHECK(trace_name_of(r, kind, n->parent));
	}
}

static void check_stream(const struct trace_reader *r, u32 number)
{
	const struct trace_stream *s = trace_stream_of(r, number);

	CHECK(s && number <= trace_streams(r));
	CHECK(s->layer < LAYERS && s->op < OP_MAX && s->source < SRC_MAX);
	check_name(r, TRACE_DISK, s->disk);
	check_name(r, TRACE_GROUP, s->group);
	check_name(r, TRACE_PROCESS, s->process);
	check_name(r, TRACE_FILE, s->file);
}

static u64 check_batch(const struct trace_reader *r, const struct trace_batch *b, u64 before_ns)
{
	CHECK(b->n <= TRACE_CHUNK);
	for (u32 i = 0; i < b->n; i++) {
		if (!i || b->stream[i] != b->stream[i - 1])
			check_stream(r, b->stream[i]);
		if (b->flags[i] & TRACE_UNSPANNED)
			continue;
		CHECK(b->start_ns[i] >= b->first_ns && b->end_ns[i] <= b->last_ns);
		CHECK(b->start_ns[i] >= before_ns);
	}
	CHECK(b->before_ns >= before_ns);
	return b->before_ns;
}

static void read_all(struct trace_reader *r, size_t size)
{
	const struct trace_batch *b;
	u64 before_ns = 0;
	int n;

	while ((n = trace_next(r, &b)) > 0) {
		CHECK((u32)n == b->n);
		before_ns = check_batch(r, b, before_ns);
	}
	CHECK(n == 0);
	CHECK(trace_state(r)->chunks * CHUNK_HEAD <= size);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		CHECK(trace_names(r, kind) <= size / 3);
	CHECK(trace_streams(r) <= size / 3);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static int fd = -1;
	struct trace_reader *r;
	char path[64];

	if (fd < 0)
		fd = memfd_create("trace", 0);
	CHECK(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (trace_open(&r, path, size % 8))
		return 0;
	read_all(r, size);
	trace_close(r);
	return 0;
}
