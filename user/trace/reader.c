// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the chunks of a trace file. The index has the positions of the NAMES and ACCESSES chunks.
 * META, SUMS and END chunks occur once per file. */
#include "user/trace/reader.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/base/out-read.h"

static u8 *room_for(u8 **buffer, size_t *room, size_t n)
{
	if (*room < n) {
		free(*buffer);
		*buffer = need(malloc(n));
		*room = n;
	}
	return *buffer;
}

int reader_load(struct trace_reader *r, u64 at, u32 stored)
{
	u8 *to = room_for(&r->stored, &r->stored_room, CHUNK_HEAD + (size_t)stored);
	ssize_t n = walk_read(r->fd, r->path, to, CHUNK_HEAD + (size_t)stored, at);

	if (n < 0)
		return n;
	r->c.stored = stored;
	return n == CHUNK_HEAD + (ssize_t)stored && !chunk_get(&r->c, to) && r->c.id == r->id &&
		r->c.stored == stored && chunk_holds(&r->c, to + CHUNK_HEAD);
}

void count_chunk(struct trace_state *s, u32 stored, bool good)
{
	s->chunks += good;
	s->bad_chunks += !good;
	s->ignored_bytes += good ? 0 : CHUNK_HEAD + (u64)stored;
}

const u8 *reader_unpack(struct trace_reader *r)
{
	const u8 *from = r->stored + CHUNK_HEAD;
	u8 *to;

	if (r->c.stored == r->c.raw)
		return from;
	to = room_for(&r->raw, &r->raw_room, r->c.raw);
	return bytes_unpack(r->packer, to, r->c.raw, from, r->c.stored) ? to : NULL;
}

/* Parses a JSON text from a trace. Returns NULL if the text is invalid or would take too much
 * memory. */
static struct out *read_object(const u8 *text, size_t size)
{
	return object_fits(text, size) ? out_parse((const char *)text, size) : NULL;
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
	r->opened.written = get64(raw + 8);
	return true;
}

/* Reads the META, SUMS or END chunk at offset @at. Ignores a second chunk of the same type, because
 * a file has only one. Returns 0 even if the chunk is damaged, or -errno if the file cannot be
 * read. */
static int read_single(struct trace_reader *r, const struct chunk *c, u64 at)
{
	const u8 *raw;
	bool good = false;
	int ret;

	if ((c->type == CHUNK_META && r->meta) || (c->type == CHUNK_SUMS && r->sums))
		return 0;
	ret = reader_load(r, at, c->stored);
	if (ret < 0)
		return ret;
	raw = ret ? reader_unpack(r) : NULL;
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
	if (c->type == CHUNK_ACCESSES && c->count <= TRACE_CHUNK && c->count > r->most)
		r->most = c->count;
}

/* Sets before_ns of each chunk to the earliest start of an access in all later chunks. add_entry()
 * has set before_ns to the earliest start in the chunk itself. */
static void set_before(struct trace_reader *r)
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
	set_before(r);
	return ret < 0 ? ret : 0;
}

int reader_open_file(struct trace_reader *r)
{
	struct walk w = {};
	struct stat st;
	int ret;

	/* Without O_NONBLOCK, open() of a fifo would wait for a process that writes to the fifo. */
	r->fd = open(r->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (r->fd < 0 || fstat(r->fd, &st))
		return error(-errno, "cannot read '%s': %s", r->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error(-EINVAL, "'%s' is no trace: it is not a regular file", r->path);
	if (infile_check(r->fd, r->path))
		return -EINVAL;
	r->size = st.st_size;
	ret = walk_begin(&w, r->fd, r->path, r->size);
	r->id = w.id;
	if (!ret)
		ret = index_chunks(r, &w);
	walk_end(&w);
	return ret;
}
