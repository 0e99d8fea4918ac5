// SPDX-License-Identifier: GPL-2.0-or-later
/* Returns the accesses of a trace in batches. A batch is the accesses of one chunk. A stream is a
 * set of attributes that many accesses share, such as disk and process. */
#include "user/trace/trace-read.h"

#include <stdlib.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/trace/reader.h"

void trace_batch_alloc(struct trace_batch *b, u32 n, unsigned columns)
{
	b->start_ns = need(calloc(n, sizeof(u64)));
	b->end_ns = need(calloc(n, sizeof(u64)));
	b->bytes = need(calloc(n, sizeof(u64)));
	b->offset = columns & TRACE_OFFSET ? need(calloc(n, sizeof(u64))) : NULL;
	b->queued_ns = columns & TRACE_QUEUED ? need(calloc(n, sizeof(u64))) : NULL;
	b->held_ns = columns & TRACE_HELD ? need(calloc(n, sizeof(u64))) : NULL;
	b->stream = need(calloc(n, sizeof(*b->stream)));
	b->flags = need(calloc(n, 1));
}

void trace_batch_release(struct trace_batch *b)
{
	free(b->start_ns);
	free(b->end_ns);
	free(b->bytes);
	free(b->offset);
	free(b->queued_ns);
	free(b->held_ns);
	free(b->stream);
	free(b->flags);
}

int trace_open(struct trace_reader **to, const char *path, unsigned columns)
{
	struct trace_reader *r = need(calloc(1, sizeof(*r)));
	int ret;

	*to = NULL;
	r->path = need(strdup(path));
	r->packer = packer_new();
	r->opened.first_ns = ~0ULL;
	r->most = 1;
	ret = reader_open_file(r);
	if (ret) {
		trace_close(r);
		return ret;
	}
	packer_room(r->packer, r->most);
	trace_batch_alloc(&r->batch, r->most, columns);
	r->state = r->opened;
	*to = r;
	return 0;
}

void trace_close(struct trace_reader *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	trace_batch_release(&r->batch);
	free(r->path);
	free(r->entries);
	free(r->stored);
	free(r->raw);
	out_free(r->meta);
	out_free(r->sums);
	known_release(&r->known);
	packer_free(r->packer);
	free(r);
}

static bool take_names_chunk(struct trace_reader *r, const struct entry *e)
{
	u64 highest = (e->at + CHUNK_HEAD + e->stored) / NAME_STORED_MIN;
	const u8 *raw;

	if (r->c.raw > (u64)NAMES_RATIO * r->c.stored)
		return false;
	raw = reader_unpack(r);
	return raw && !known_read(&r->known, raw, r->c.raw, highest);
}

/* Returns true if the chunk's head has the right times: the earliest start and the latest end of
 * the chunk's accesses. If not, the caller rejects the chunk as damaged. The reason is that
 * before_ns, the earliest start in all later chunks, is computed from the heads of these chunks. */
static bool times_match(const struct chunk *c, const struct trace_batch *b)
{
	u64 first = ~0ULL, last = 0;
	u8 flags = 0;

	for (u32 i = 0; i < b->n; i++)
		flags |= b->flags[i];
	for (u32 i = 0; i < b->n; i++) {
		if ((flags & TRACE_UNSPANNED) && (b->flags[i] & TRACE_UNSPANNED))
			continue;
		first = b->start_ns[i] < first ? b->start_ns[i] : first;
		last = b->end_ns[i] > last ? b->end_ns[i] : last;
	}
	return first == c->first_ns && last == c->last_ns;
}

static void move_access(struct trace_batch *b, u32 to, u32 from)
{
	b->start_ns[to] = b->start_ns[from];
	b->end_ns[to] = b->end_ns[from];
	b->bytes[to] = b->bytes[from];
	b->stream[to] = b->stream[from];
	b->flags[to] = b->flags[from];
	if (b->offset)
		b->offset[to] = b->offset[from];
	if (b->queued_ns)
		b->queued_ns[to] = b->queued_ns[from];
	if (b->held_ns)
		b->held_ns[to] = b->held_ns[from];
}

/* Removes accesses with an unknown stream from the batch. A stream is unknown if the chunk with
 * this stream, or with its names, was damaged. */
static void drop_unknown_streams(struct trace_reader *r)
{
	struct trace_batch *b = &r->batch;
	u32 n = 0, last = 0;

	/* For the invalid stream number 0, the subtraction of 1 gives UINT32_MAX, which is never a
	 * known stream. */
	for (u32 i = 0; i < b->n; i++)
		last = b->stream[i] - 1 > last ? b->stream[i] - 1 : last;
	if (last < r->known.streams_gapless)
		return;
	for (u32 i = 0; i < b->n; i++)
		if (known_stream(&r->known, b->stream[i]))
			move_access(b, n++, i);
	r->state.unknown += b->n - n;
	b->n = n;
}

static bool take_accesses_chunk(struct trace_reader *r, const struct entry *e)
{
	struct trace_batch *b = &r->batch;

	b->n = r->c.count;
	if (columns_unpack(r->packer, r->stored + CHUNK_HEAD, r->c.stored, b) ||
	    !times_match(&r->c, b)) {
		b->n = 0;
		return false;
	}
	b->first_ns = r->c.first_ns;
	b->last_ns = r->c.last_ns;
	b->before_ns = e->before_ns;
	drop_unknown_streams(r);
	r->state.accesses += b->n;
	if (b->first_ns < r->state.first_ns)
		r->state.first_ns = b->first_ns;
	if (b->last_ns > r->state.last_ns)
		r->state.last_ns = b->last_ns;
	return true;
}

int trace_next(struct trace_reader *r, const struct trace_batch **batch)
{
	r->batch.n = 0;
	*batch = &r->batch;
	while (r->next < r->n && !r->batch.n) {
		const struct entry *e = &r->entries[r->next];
		int ret = reader_load(r, e->at, e->stored);
		bool good = ret > 0;

		if (ret < 0)
			return ret;
		r->next++;
		if (good && r->c.type == CHUNK_NAMES)
			good = take_names_chunk(r, e);
		else if (good)
			good = take_accesses_chunk(r, e);
		count_chunk(&r->state, e->stored, good);
	}
	return r->batch.n;
}

const struct trace_name *trace_name_of(const struct trace_reader *r, u32 kind, u32 number)
{
	return known_name(&r->known, kind, number);
}

const struct trace_stream *trace_stream_of(const struct trace_reader *r, u32 number)
{
	return known_stream(&r->known, number);
}

u32 trace_names(const struct trace_reader *r, u32 kind)
{
	return kind < TRACE_KINDS ? r->known.names[kind].highest : 0;
}

u32 trace_streams(const struct trace_reader *r)
{
	return r->known.streams.highest;
}

const struct out *trace_meta(const struct trace_reader *r)
{
	return r->meta;
}

const struct out *trace_sums(const struct trace_reader *r)
{
	return r->sums;
}

const struct trace_state *trace_state(const struct trace_reader *r)
{
	return &r->state;
}
