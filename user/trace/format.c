// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/trace/format.h"

#include <errno.h>
#include <zlib.h>

#include "user/trace/trace.h"

u32 trace_crc(const void *bytes, size_t n)
{
	return crc32_z(0, bytes, n);
}

void file_head_put(u8 to[FILE_HEAD], const struct file_head *h)
{
	memset(to, 0, FILE_HEAD);
	memcpy(to, TRACE_MAGIC, 8);
	put16(to + 8, h->major);
	put16(to + 10, h->minor);
	put32(to + 12, h->id);
	put32(to + 20, trace_crc(to, 20));
}

int file_head_get(struct file_head *h, const u8 from[FILE_HEAD])
{
	if (memcmp(from, TRACE_MAGIC, 8))
		return -EINVAL;
	if (get32(from + 20) != trace_crc(from, 20))
		return -EBADMSG;
	h->major = get16(from + 8);
	h->minor = get16(from + 10);
	h->id = get32(from + 12);
	return 0;
}

void chunk_put(u8 to[CHUNK_HEAD], const struct chunk *c)
{
	memset(to, 0, CHUNK_HEAD);
	memcpy(to, CHUNK_MAGIC, 4);
	put32(to + 4, c->id);
	put32(to + 8, c->number);
	put16(to + 12, c->type);
	put32(to + 16, c->stored);
	put32(to + 20, c->raw);
	put32(to + 24, c->count);
	put64(to + 32, c->first_ns);
	put64(to + 40, c->last_ns);
	put32(to + 56, c->payload_crc);
	put32(to + 60, trace_crc(to, 60));
}

int chunk_get(struct chunk *c, const u8 from[CHUNK_HEAD])
{
	if (memcmp(from, CHUNK_MAGIC, 4) || get32(from + 60) != trace_crc(from, 60))
		return -EBADMSG;
	*c = (struct chunk){
		.id = get32(from + 4),
		.number = get32(from + 8),
		.type = get16(from + 12),
		.stored = get32(from + 16),
		.raw = get32(from + 20),
		.count = get32(from + 24),
		.first_ns = get64(from + 32),
		.last_ns = get64(from + 40),
		.payload_crc = get32(from + 56),
	};
	return c->stored > STORED_MAX || c->raw > RAW_MAX ? -EBADMSG : 0;
}

bool chunk_holds(const struct chunk *c, const u8 *payload)
{
	return trace_crc(payload, c->stored) == c->payload_crc;
}

bool object_fits(const void *text, size_t size)
{
	const char *c = text, *end = c + size;
	size_t nodes = 0, values = 0;

	if (size > TRACE_OBJECT)
		return false;
	for (; c < end; c++) {
		nodes += *c == '{' || *c == '[';
		values += *c == ',';
	}
	return nodes <= OBJECT_NODES && values <= OBJECT_VALUES;
}
