// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds the chunks of a trace in memory. The output buffer collects chunks for the next
 * write(2). */
#include "user/trace/pack.h"

/* Writes the head of the chunk that starts at offset @at of the output buffer w->out. The buffer
 * already has room for the head, followed by the payload of c->stored bytes. */
static void finish_chunk(struct trace_writer *w, size_t at, struct chunk *c)
{
	c->id = w->id;
	c->number = w->chunks + w->out_chunks++;
	c->payload_crc = trace_crc(w->out.at + at + CHUNK_HEAD, c->stored);
	chunk_put(w->out.at + at, c);
	w->out.n = at + CHUNK_HEAD + c->stored;
}

/* Appends a chunk of type @type with the payload @raw to w->out. Compresses the payload if that
 * makes it smaller. */
static void put_chunk(struct trace_writer *w, u16 type, u32 count, const void *raw, size_t n)
{
	struct chunk c = { .type = type, .raw = n, .stored = n, .count = count };
	size_t at = w->out.n, size;
	u8 *to = bytes_add(&w->out, CHUNK_HEAD + n) + CHUNK_HEAD;

	size = bytes_pack(w->packer, to, raw, n);
	if (size && (type != CHUNK_NAMES || n <= NAMES_RATIO * size))
		c.stored = size;
	else
		memcpy(to, raw, n);
	finish_chunk(w, at, &c);
}

void put_meta(struct trace_writer *w)
{
	u8 *at;

	w->raw.n = 0;
	at = bytes_add(&w->raw, META_FIXED + w->meta_size);
	put64(at, w->row);
	put32(at + 8, w->file);
	put32(at + 12, 0);
	memcpy(at + META_FIXED, w->meta, w->meta_size);
	put_chunk(w, CHUNK_META, 0, at, w->raw.n);
}

void put_end(struct trace_writer *w, bool followed)
{
	u8 end[END_BYTES] = {};

	put32(end, followed ? END_FOLLOWED : 0);
	put64(end + 8, w->file_accesses);
	put64(end + 16, w->accesses);
	put_chunk(w, CHUNK_END, 0, end, sizeof(end));
}

static void put_raw_names(struct trace_writer *w, u32 *count)
{
	if (*count)
		put_chunk(w, CHUNK_NAMES, *count, w->raw.at, w->raw.n);
	*count = w->raw.n = 0;
}

/* Appends the NAMES chunks for the accesses in memory. First come the names that no file has yet.
 * Next come the names that only earlier files of a split trace have. */
static void put_names(struct trace_writer *w)
{
	u32 count, stream;

	w->raw.n = 0;
	while ((count = names_put_new(&w->names, NAMES_RAW, &w->raw)))
		put_raw_names(w, &count);
	for (u32 i = 0; i < w->kept.n; i++) {
		stream = w->kept.stream[i];
		w->numbers[i] = names_number(&w->names, stream);
		if (w->numbers[i])
			continue;
		count += names_put_stream(&w->names, stream, &w->raw);
		w->numbers[i] = names_number(&w->names, stream);
		if (w->raw.n >= NAMES_RAW)
			put_raw_names(w, &count);
	}
	put_raw_names(w, &count);
}

static void put_accesses_chunk(struct trace_writer *w)
{
	struct chunk c = { .type = CHUNK_ACCESSES, .count = w->kept.n, .first_ns = ~0ULL };
	struct trace_batch b = w->kept;
	size_t at = w->out.n;
	u8 *to = bytes_add(&w->out, CHUNK_HEAD + PACKED_MAX(b.n));

	for (u32 i = 0; i < b.n; i++) {
		if (b.flags[i] & TRACE_UNSPANNED)
			continue;
		if (b.start_ns[i] < c.first_ns)
			c.first_ns = b.start_ns[i];
		if (b.end_ns[i] > c.last_ns)
			c.last_ns = b.end_ns[i];
	}
	b.stream = w->numbers;
	c.stored = columns_pack(w->packer, &b, to + CHUNK_HEAD, &c.raw);
	finish_chunk(w, at, &c);
}

void put_kept(struct trace_writer *w)
{
	put_nothing(w);
	put_names(w);
	if (w->kept.n)
		put_accesses_chunk(w);
}

void put_sums(struct trace_writer *w, const char *text, size_t size)
{
	put_chunk(w, CHUNK_SUMS, 0, text, size);
}
