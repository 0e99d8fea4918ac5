// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace.h"

#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>
#include <zstd.h>

#include "err.h"
#include "trace-columns.h"
#include "trace-file.h"
#include "trace-format.h"
#include "trace-names.h"

#define LEVEL 1

struct trace_writer {
	char *path;
	struct trace_write_options o;
	char *meta;			/* as JSON */
	size_t meta_size;
	u64 row;

	int fd;
	u32 file;			/* number in the row */
	u32 id, chunks;			/* of the file: its chunks so far */
	u64 file_bytes, file_accesses, bytes, accesses;
	int failed;			/* -errno, for good */

	struct name_table names;
	struct trace_batch kept;	/* accesses for the next chunk */
	u32 room;
	u32 *numbers;			/* their streams', in the file */
	struct packer *packer;
	ZSTD_CCtx *zstd;
	struct bytes raw, out;		/* names; chunks to be written at once */
	u32 out_chunks;
};

/* ---- chunks, to w->out ---- */

/* Its head stands @at in w->out, its payload of c->stored bytes behind. */
static void finish_chunk(struct trace_writer *w, size_t at, struct chunk *c)
{
	c->id = w->id;
	c->number = w->chunks + w->out_chunks++;
	c->payload_crc = trace_crc(w->out.at + at + CHUNK_HEAD, c->stored);
	chunk_put(w->out.at + at, c);
	w->out.n = at + CHUNK_HEAD + c->stored;
}

/* Of @raw, packed if that makes it smaller. */
static void put_chunk(struct trace_writer *w, u16 type, u32 count, const void *raw, size_t n)
{
	struct chunk c = { .type = type, .raw = n, .stored = n, .count = count };
	size_t at = w->out.n, room = ZSTD_compressBound(n), size;
	u8 *to = bytes_add(&w->out, CHUNK_HEAD + room) + CHUNK_HEAD;

	size = ZSTD_compressCCtx(w->zstd, to, room, raw, n, LEVEL);
	if (!ZSTD_isError(size) && size < n &&
	    (type != CHUNK_NAMES || n <= NAMES_RATIO * size))
		c.stored = size;
	else
		memcpy(to, raw, n);
	finish_chunk(w, at, &c);
}

static void put_meta(struct trace_writer *w)
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

static void put_end(struct trace_writer *w, bool followed)
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

/* New names, and those that the kept accesses need and the file has not yet. */
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

static void put_accesses(struct trace_writer *w)
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

/* ---- writing ---- */

/* A file that cannot take all of it takes none of it: it ends with a whole chunk. */
static int write_failed(struct trace_writer *w, int code)
{
	char *name = trace_file_path(w->path, w->file);

	w->failed = error(code, "cannot write to '%s': %s", name, strerror(-code));
	if (ftruncate(w->fd, w->file_bytes))
		warn("cannot cut '%s' to its last whole chunk: %s", name, strerror(errno));
	free(name);
	return w->failed;
}

static int write_out(struct trace_writer *w)
{
	for (size_t done = 0; done < w->out.n;) {
		ssize_t n = write(w->fd, w->out.at + done, w->out.n - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return write_failed(w, n ? -errno : -ENOSPC);
		done += n;
	}
	w->file_bytes += w->out.n;
	w->bytes += w->out.n;
	w->chunks += w->out_chunks;
	w->out.n = w->out_chunks = 0;
	return 0;
}

static int begin_file(struct trace_writer *w)
{
	struct file_head head = { TRACE_MAJOR, TRACE_MINOR, 0 };
	int fd = trace_file_create(w->path, w->file), ret;

	if (fd < 0)
		return w->failed = fd;
	w->fd = fd;
	if (getrandom(&w->id, sizeof(w->id), 0) != sizeof(w->id))
		return write_failed(w, -errno);
	w->file_bytes = w->file_accesses = w->chunks = 0;
	w->out.n = w->out_chunks = 0;
	names_next_file(&w->names);
	head.id = w->id;
	file_head_put(bytes_add(&w->out, FILE_HEAD), &head);
	put_meta(w);
	ret = write_out(w);
	if (ret)
		trace_file_remove(w->path, w->file);
	return ret;
}

static int end_file(struct trace_writer *w, bool followed)
{
	int ret;

	w->out.n = w->out_chunks = 0;
	put_end(w, followed);
	ret = write_out(w);
	if (close(w->fd) && !ret)
		ret = write_failed(w, -errno);
	w->fd = -1;
	return ret;
}

static int next_file(struct trace_writer *w)
{
	int ret = end_file(w, true);

	if (ret)
		return ret;
	w->file++;
	ret = begin_file(w);
	if (!ret && w->o.files_kept && w->file >= w->o.files_kept)
		trace_file_remove(w->path, w->file - w->o.files_kept);
	return ret;
}

static void put_kept(struct trace_writer *w)
{
	w->out.n = w->out_chunks = 0;
	put_names(w);
	if (w->kept.n)
		put_accesses(w);
}

int trace_flush(struct trace_writer *w)
{
	int ret = w->failed;

	if (ret)
		return ret;
	put_kept(w);
	if (w->o.max_bytes && w->file_accesses &&
	    w->file_bytes + w->out.n + CHUNK_HEAD + END_BYTES > w->o.max_bytes) {
		ret = next_file(w);
		if (ret)
			return ret;
		put_kept(w);
	}
	ret = write_out(w);
	if (ret)
		return ret;
	names_kept(&w->names);
	w->file_accesses += w->kept.n;
	w->accesses += w->kept.n;
	w->kept.n = 0;
	return 0;
}

/* ---- the writer ---- */

static void alloc_kept(struct trace_writer *w, u64 max_bytes)
{
	struct trace_batch *b = &w->kept;
	u64 room = max_bytes ? max_bytes / 256 : TRACE_CHUNK;
	u64 **columns[] = { &b->start_ns, &b->end_ns, &b->bytes, &b->offset,
			    &b->queued_ns, &b->held_ns };

	w->room = room < TRACE_CHUNK ? room : TRACE_CHUNK;
	for (unsigned i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		*columns[i] = need(calloc(w->room, sizeof(u64)));
	b->stream = need(calloc(w->room, sizeof(*b->stream)));
	b->flags = need(calloc(w->room, 1));
	w->numbers = need(calloc(w->room, sizeof(*w->numbers)));
}

/* @object as text; NULL: it is longer than a chunk may be. */
static char *text_of(const struct out *object, size_t *size)
{
	char *text = NULL;
	FILE *f = need(open_memstream(&text, size));
	int ret = 0;

	if (object)
		ret = out_json_line(f, (struct out *)object);
	else
		fputs("{}", f);
	if (ret || fclose(f))
		need(NULL);
	if (*size <= TRACE_OBJECT)
		return text;
	error(-E2BIG, "what is to be said about the trace is too long: %zu bytes", *size);
	free(text);
	return NULL;
}

static void writer_free(struct trace_writer *w)
{
	struct trace_batch *b = &w->kept;
	void *all[] = { w->path, w->meta, b->start_ns, b->end_ns, b->bytes, b->offset,
			b->queued_ns, b->held_ns, b->stream, b->flags, w->numbers,
			w->raw.at, w->out.at };

	if (w->fd >= 0)
		close(w->fd);
	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++)
		free(all[i]);
	names_release(&w->names);
	packer_free(w->packer);
	ZSTD_freeCCtx(w->zstd);
	free(w);
}

int trace_create(struct trace_writer **to, const char *path, const struct out *meta,
		 const struct trace_write_options *o)
{
	struct trace_writer *w;
	int ret = 0;

	*to = NULL;
	if (o && o->max_bytes && o->max_bytes < TRACE_FILE_MIN)
		return error(-EINVAL, "a trace's file cannot be limited to less than %d bytes",
			     TRACE_FILE_MIN);
	w = need(calloc(1, sizeof(*w)));
	w->fd = -1;
	w->path = need(strdup(path));
	if (o)
		w->o = *o;
	alloc_kept(w, w->o.max_bytes);
	w->packer = packer_new();
	w->zstd = need(ZSTD_createCCtx());
	w->meta = text_of(meta, &w->meta_size);
	if (!w->meta)
		ret = -E2BIG;
	else if (getrandom(&w->row, sizeof(w->row), 0) != sizeof(w->row))
		ret = error(-errno, "no random numbers: %s", strerror(errno));
	if (!ret && w->o.max_bytes)
		ret = trace_file_check_row(path);
	if (!ret)
		ret = begin_file(w);
	if (ret)
		writer_free(w);
	else
		*to = w;
	return ret;
}

u32 trace_name(struct trace_writer *w, const struct trace_name *n)
{
	return names_add(&w->names, n);
}

u32 trace_stream(struct trace_writer *w, const struct trace_stream *s)
{
	return names_add_stream(&w->names, s);
}

int trace_add(struct trace_writer *w, const struct trace_access *a)
{
	struct trace_batch *b = &w->kept;
	u32 i = b->n;

	if (w->failed)
		return w->failed;
	if (!a->stream || a->stream > w->names.lists[TRACE_KINDS].n || a->flags > UINT8_MAX)
		return error(-EINVAL, "no such stream or flags: %u, %u", a->stream, a->flags);
	b->start_ns[i] = a->start_ns;
	b->end_ns[i] = a->end_ns;
	b->bytes[i] = a->bytes;
	b->offset[i] = a->offset;
	b->queued_ns[i] = a->queued_ns;
	b->held_ns[i] = a->held_ns;
	b->stream[i] = a->stream;
	b->flags[i] = a->flags;
	b->n++;
	return b->n < w->room ? 0 : trace_flush(w);
}

u64 trace_written(const struct trace_writer *w)
{
	return w->bytes;
}

static int put_sums(struct trace_writer *w, const struct out *sums)
{
	size_t size;
	char *text = text_of(sums, &size);

	if (!text)
		return -E2BIG;
	put_chunk(w, CHUNK_SUMS, 0, text, size);
	free(text);
	return write_out(w);
}

/* All files of the row that are still there. */
static int sync_files(const struct trace_writer *w)
{
	u32 kept = w->o.files_kept, first = kept && w->file >= kept ? w->file - kept + 1 : 0;
	int ret = 0;

	for (u32 file = first; file <= w->file; file++) {
		int err = trace_file_sync(w->path, file);

		if (err && err != -ENOENT)
			ret = error(err, "cannot write '%s' to the disk: %s", w->path,
				    strerror(-err));
	}
	return ret;
}

int trace_finish(struct trace_writer *w, const struct out *sums)
{
	int ret, err = 0;

	if (!w)
		return 0;
	ret = trace_flush(w);
	if (!ret && sums)
		err = put_sums(w, sums);
	if (!ret && !w->failed)
		ret = end_file(w, false);
	if (!ret)
		ret = err ? err : sync_files(w);
	writer_free(w);
	return ret;
}
