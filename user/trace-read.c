// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "err.h"
#include "trace-columns.h"
#include "trace-format.h"
#include "trace-known.h"
#include "trace-walk.h"

/* An object of so many others and values takes no more than some 10 MiB. */
#define OBJECT_NODES (32 << 10)
#define OBJECT_VALUES (128 << 10)

/* A chunk of names or accesses. */
struct entry {
	u64 at;
	u64 before_ns;		/* those after it begin no earlier */
	u32 stored;
};

struct trace_reader {
	int fd;
	char *path;
	u64 size;
	u32 id;
	struct entry *entries;
	size_t n, room, next;
	struct trace_state opened, state;	/* after trace_open(), and now */
	struct out *meta, *sums;
	struct known known;
	struct trace_batch batch;
	struct packer *packer;
	ZSTD_DCtx *zstd;
	struct chunk c;				/* that which is in: */
	u8 *stored, *raw;
	size_t stored_room, raw_room;
};

/* ---- a chunk ---- */

static u8 *room_for(u8 **buffer, size_t *room, size_t n)
{
	if (*room < n) {
		free(*buffer);
		*buffer = need(malloc(n));
		*room = n;
	}
	return *buffer;
}

/* Reads that of @stored bytes at @at into r->c and r->stored. 1: it is whole; 0: not;
 * -errno, printed. */
static int load(struct trace_reader *r, u64 at, u32 stored)
{
	u8 *to = room_for(&r->stored, &r->stored_room, CHUNK_HEAD + (size_t)stored);
	ssize_t n = walk_read(r->fd, r->path, to, CHUNK_HEAD + (size_t)stored, at);

	if (n < 0)
		return n;
	r->c.stored = stored;
	return n == CHUNK_HEAD + (ssize_t)stored && !chunk_get(&r->c, to) &&
	       r->c.id == r->id && r->c.stored == stored &&
	       chunk_holds(&r->c, to + CHUNK_HEAD);
}

/* That of @stored bytes is done with; not @good: its checksum is wrong, or it makes no
 * sense. */
static void count_chunk(struct trace_state *s, u32 stored, bool good)
{
	s->chunks += good;
	s->bad_chunks += !good;
	s->ignored_bytes += good ? 0 : CHUNK_HEAD + (u64)stored;
}

/* Its payload unpacked; NULL: it cannot be. */
static const u8 *unpack(struct trace_reader *r)
{
	const u8 *from = r->stored + CHUNK_HEAD;
	u8 *to;

	if (r->c.stored == r->c.raw)
		return from;
	to = room_for(&r->raw, &r->raw_room, r->c.raw);
	return ZSTD_decompressDCtx(r->zstd, to, r->c.raw, from, r->c.stored) == r->c.raw ?
		       to : NULL;
}

/* ---- opening ---- */

/* @text as an object; NULL if it is none, or one that would take much memory. */
static struct out *read_object(const u8 *text, size_t size)
{
	size_t nodes = 0, values = 0;

	if (size > TRACE_OBJECT)
		return NULL;
	for (size_t i = 0; i < size; i++) {
		nodes += text[i] == '{' || text[i] == '[';
		values += text[i] == ',';
	}
	if (nodes > OBJECT_NODES || values > OBJECT_VALUES)
		return NULL;
	return out_parse((const char *)text, size);
}

static bool read_meta(struct trace_reader *r, const u8 *raw)
{
	if (r->c.raw < META_FIXED)
		return false;
	r->opened.row = get64(raw);
	r->opened.file = get32(raw + 8);
	r->meta = read_object(raw + META_FIXED, r->c.raw - META_FIXED);
	return r->meta;
}

static bool read_end(struct trace_reader *r, const u8 *raw)
{
	if (r->c.raw < END_BYTES)
		return false;
	r->opened.whole = true;
	r->opened.followed = get32(raw) & END_FOLLOWED;
	return true;
}

/* What is read but once, of each type the first. */
static int read_single(struct trace_reader *r, const struct chunk *c, u64 at)
{
	const u8 *raw;
	bool good = false;
	int ret;

	if ((c->type == CHUNK_META && r->meta) || (c->type == CHUNK_SUMS && r->sums))
		return 0;
	ret = load(r, at, c->stored);
	if (ret < 0)
		return ret;
	raw = ret ? unpack(r) : NULL;
	if (raw && c->type == CHUNK_META)
		good = read_meta(r, raw);
	else if (raw && c->type == CHUNK_SUMS)
		good = (r->sums = read_object(raw, r->c.raw));
	else if (raw)
		good = read_end(r, raw);
	count_chunk(&r->opened, c->stored, good);
	return 0;
}

static void add_entry(struct trace_reader *r, const struct chunk *c, u64 at)
{
	u64 first_ns = c->type == CHUNK_ACCESSES ? c->first_ns : ~0ULL;

	if (r->n == r->room) {
		r->room = r->room ? 2 * r->room : 64;
		r->entries = need(reallocarray(r->entries, r->room, sizeof(*r->entries)));
	}
	r->entries[r->n++] = (struct entry){ at, first_ns, c->stored };
}

/* Up to here entries have their own first begin. */
static void look_ahead(struct trace_reader *r)
{
	u64 before_ns = ~0ULL;

	for (size_t i = r->n; i--;) {
		u64 first_ns = r->entries[i].before_ns;

		r->entries[i].before_ns = before_ns;
		if (first_ns < before_ns)
			before_ns = first_ns;
	}
}

static int index_chunks(struct trace_reader *r, struct walk *w)
{
	u64 at, bytes = FILE_HEAD;
	struct chunk c;
	int ret;

	while ((ret = walk_next(w, &c, &at)) > 0) {
		bytes += CHUNK_HEAD + (u64)c.stored;
		if (c.type == CHUNK_NAMES || c.type == CHUNK_ACCESSES)
			add_entry(r, &c, at);
		else if (c.type == CHUNK_META || c.type == CHUNK_SUMS || c.type == CHUNK_END)
			ret = read_single(r, &c, at);
		if (ret < 0)
			return ret;
		if (r->opened.whole)
			break;
	}
	r->opened.bad_chunks += w->missing;
	r->opened.ignored_bytes += r->size > bytes ? r->size - bytes : 0;
	look_ahead(r);
	return ret < 0 ? ret : 0;
}

static int open_file(struct trace_reader *r)
{
	struct walk w = {};
	struct stat st;
	int ret;

	/* a FIFO must not make us wait */
	r->fd = open(r->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (r->fd < 0 || fstat(r->fd, &st))
		return error(-errno, "cannot read '%s': %s", r->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error(-EINVAL, "'%s' is no trace: it is not a regular file", r->path);
	r->size = st.st_size;
	ret = walk_begin(&w, r->fd, r->path, r->size);
	r->id = w.id;
	if (!ret)
		ret = index_chunks(r, &w);
	walk_end(&w);
	return ret;
}

static void alloc_batch(struct trace_batch *b, unsigned columns)
{
	u64 **all[] = { &b->start_ns, &b->end_ns, &b->bytes, &b->offset, &b->queued_ns,
			&b->held_ns };
	bool wanted[] = { true, true, true, columns & TRACE_OFFSET, columns & TRACE_QUEUED,
			  columns & TRACE_HELD };

	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (wanted[i])
			*all[i] = need(calloc(TRACE_CHUNK, sizeof(u64)));
	b->stream = need(calloc(TRACE_CHUNK, sizeof(*b->stream)));
	b->flags = need(calloc(TRACE_CHUNK, 1));
}

int trace_open(struct trace_reader **to, const char *path, unsigned columns)
{
	struct trace_reader *r = need(calloc(1, sizeof(*r)));
	int ret;

	*to = NULL;
	r->path = need(strdup(path));
	r->zstd = need(ZSTD_createDCtx());
	r->packer = packer_new();
	r->opened.first_ns = ~0ULL;
	alloc_batch(&r->batch, columns);
	ret = open_file(r);
	if (ret) {
		trace_close(r);
		return ret;
	}
	trace_rewind(r);
	*to = r;
	return 0;
}

void trace_close(struct trace_reader *r)
{
	struct trace_batch *b = r ? &r->batch : NULL;

	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	free(b->start_ns);
	free(b->end_ns);
	free(b->bytes);
	free(b->offset);
	free(b->queued_ns);
	free(b->held_ns);
	free(b->stream);
	free(b->flags);
	free(r->path);
	free(r->entries);
	free(r->stored);
	free(r->raw);
	out_free(r->meta);
	out_free(r->sums);
	known_release(&r->known);
	packer_free(r->packer);
	ZSTD_freeDCtx(r->zstd);
	free(r);
}

void trace_rewind(struct trace_reader *r)
{
	r->next = 0;
	r->state = r->opened;
}

/* ---- reading ---- */

static bool read_names(struct trace_reader *r, const struct entry *e)
{
	u64 highest = (e->at + CHUNK_HEAD + e->stored) / NAME_STORED_MIN;
	const u8 *raw;

	if (r->c.raw > (u64)NAMES_RATIO * r->c.stored)
		return false;
	raw = unpack(r);
	return raw && !known_read(&r->known, raw, r->c.raw, highest);
}

/* Begins and ends must be what the chunk's head says: the user relies on that. */
static bool times_hold(const struct chunk *c, const struct trace_batch *b)
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

static void move(struct trace_batch *b, u32 to, u32 from)
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

/* Leaves out those of streams that are not known. */
static void leave_out(struct trace_reader *r)
{
	struct trace_batch *b = &r->batch;
	u32 n = 0, last = 0;

	for (u32 i = 0; i < b->n; i++)	/* 0 becomes the highest */
		last = b->stream[i] - 1 > last ? b->stream[i] - 1 : last;
	if (last < r->known.streams_gapless)
		return;
	for (u32 i = 0; i < b->n; i++)
		if (known_stream(&r->known, b->stream[i]))
			move(b, n++, i);
	r->state.unknown += b->n - n;
	b->n = n;
}

static bool read_accesses(struct trace_reader *r, const struct entry *e)
{
	struct trace_batch *b = &r->batch;

	b->n = r->c.count;
	if (columns_unpack(r->packer, r->stored + CHUNK_HEAD, r->c.stored, b) ||
	    !times_hold(&r->c, b)) {
		b->n = 0;
		return false;
	}
	b->first_ns = r->c.first_ns;
	b->last_ns = r->c.last_ns;
	b->before_ns = e->before_ns;
	leave_out(r);
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
		int ret = load(r, e->at, e->stored);
		bool good = ret > 0;

		if (ret < 0)
			return ret;
		r->next++;
		if (good && r->c.type == CHUNK_NAMES)
			good = read_names(r, e);
		else if (good)
			good = read_accesses(r, e);
		count_chunk(&r->state, e->stored, good);
	}
	return r->batch.n;
}

/* ---- what is known ---- */

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
