// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a trace. The writer collects accesses in memory, and writes them as chunks: a head, and a
 * payload of names or accesses. If a file is full, the writer starts another file of the trace. */
#include "user/trace/write.h"

#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/out-print.h"
#include "user/trace/file.h"
#include "user/trace/pack.h"
#include "user/trace/trace-read.h"

/* Prints that writing failed with @code (-errno). Cuts the file after its last complete chunk, so
 * that readers accept the file. Returns @code. */
static int write_failed(struct trace_writer *w, int code)
{
	char *name = trace_file_path(w->place->path, w->file);

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
	put_nothing(w);
	return 0;
}

/* Removes the current file of the trace. If the file already existed when the trace was started,
 * empties the file instead. */
static void remove_file(const struct trace_writer *w)
{
	if (w->made)
		trace_file_remove(w->place, w->file, &w->ids[w->file]);
	else if (ftruncate(w->fd, 0))
		warn("cannot empty '%s': %s", w->place->path, strerror(errno));
}

static int begin_file(struct trace_writer *w)
{
	struct file_head head = { TRACE_MAJOR, TRACE_MINOR, 0 };
	int fd = trace_file_create(w->place, w->file, &w->made), ret;

	if (fd < 0)
		return w->failed = fd;
	w->fd = fd;
	w->ids = need(reallocarray(w->ids, w->file + 1, sizeof(*w->ids)));
	trace_file_identify(fd, &w->ids[w->file]);
	if (getrandom(&w->id, sizeof(w->id), 0) != sizeof(w->id))
		return write_failed(w, -errno);
	w->file_bytes = w->file_accesses = w->chunks = 0;
	put_nothing(w);
	names_next_file(&w->names);
	head.id = w->id;
	file_head_put(bytes_add(&w->out, FILE_HEAD), &head);
	put_meta(w);
	ret = write_out(w);
	if (ret)
		remove_file(w);
	return ret;
}

static int end_file(struct trace_writer *w, bool followed)
{
	int ret;

	put_nothing(w);
	put_end(w, followed);
	ret = write_out(w);
	if (close(w->fd) && !ret)
		ret = write_failed(w, -errno);
	w->fd = -1;
	return ret;
}

static void remove_oldest(const struct trace_writer *w)
{
	u32 oldest = w->file - w->o.files_kept;

	trace_file_remove(w->place, oldest, &w->ids[oldest]);
}

static int next_file(struct trace_writer *w)
{
	int ret = end_file(w, true);

	if (ret)
		return ret;
	w->file++;
	ret = begin_file(w);
	if (!ret && w->o.files_kept && w->file >= w->o.files_kept)
		remove_oldest(w);
	return ret;
}

static void count_kept(struct trace_writer *w)
{
	const struct name_item *streams = w->names.lists[TRACE_KINDS].items;

	for (u32 i = 0; i < w->kept.n; i++) {
		u8 layer = streams[w->kept.stream[i] - 1].stream.layer;

		if (layer < LAYERS && !(w->kept.flags[i] & TRACE_PART))
			w->whole[layer]++;
	}
	w->file_accesses += w->kept.n;
	w->accesses += w->kept.n;
	w->kept.n = 0;
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
	count_kept(w);
	return 0;
}

static void alloc_kept(struct trace_writer *w, u64 max_bytes)
{
	u64 room = max_bytes ? max_bytes / 256 : TRACE_CHUNK;

	w->room = room < TRACE_CHUNK ? room : TRACE_CHUNK;
	trace_batch_alloc(&w->kept, w->room, TRACE_OFFSET | TRACE_QUEUED | TRACE_HELD);
	w->numbers = need(calloc(w->room, sizeof(*w->numbers)));
}

/* Converts @object to JSON text, which the caller frees. If the text exceeds the limits of
 * object_fits(), prints an error and returns NULL. */
static char *text_of(const struct out *object, size_t *size)
{
	char *text = NULL;
	FILE *f = need(open_memstream(&text, size));

	if (object)
		out_json_line(f, (struct out *)object);
	else
		fputs("{}", f);
	if (ferror(f) || fclose(f))
		need(NULL);
	if (object_fits(text, *size))
		return text;
	error(-E2BIG, "the description of the trace is too large: %zu bytes of JSON", *size);
	free(text);
	return NULL;
}

static void writer_free(struct trace_writer *w)
{
	if (w->fd >= 0)
		close(w->fd);
	trace_batch_release(&w->kept);
	free(w->meta);
	free(w->ids);
	free(w->numbers);
	free(w->raw.at);
	free(w->out.at);
	trace_place_close(&w->own);
	names_release(&w->names);
	packer_free(w->packer);
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
	w->own = (struct trace_place)TRACE_PLACE_NONE;
	if (o)
		w->o = *o;
	w->place = w->o.place ?: &w->own;
	alloc_kept(w, w->o.max_bytes);
	w->packer = packer_new();
	packer_room(w->packer, w->room);
	w->meta = text_of(meta, &w->meta_size);
	if (!w->meta)
		ret = -E2BIG;
	else if (getrandom(&w->row, sizeof(w->row), 0) != sizeof(w->row))
		ret = error(-errno, "no random numbers: %s", strerror(errno));
	if (!ret && !w->o.place)
		ret = trace_place_open(&w->own, path);
	if (!ret && w->o.max_bytes)
		ret = trace_file_check_row(w->place);
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

const struct trace_name *trace_name_given(const struct trace_writer *w, u32 kind, u32 number)
{
	return &w->names.lists[kind].items[number - 1].name;
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

u64 trace_accesses(const struct trace_writer *w, u32 layer)
{
	return w->whole[layer];
}

const struct trace_file_id *trace_id(const struct trace_writer *w)
{
	return &w->ids[w->file];
}

void trace_abandon(struct trace_writer *w)
{
	if (!w)
		return;
	remove_file(w);
	writer_free(w);
}

static int write_sums(struct trace_writer *w, const struct out *sums)
{
	size_t size;
	char *text = text_of(sums, &size);

	if (!text)
		return -E2BIG;
	put_sums(w, text, size);
	free(text);
	return write_out(w);
}

/* Calls fsync() for all files of the trace that still exist. A reader may have moved earlier files
 * away, which is no error. If the last file is missing, prints an error. Returns 0 or -errno. */
static int sync_files(const struct trace_writer *w)
{
	u32 kept = w->o.files_kept, first = kept && w->file >= kept ? w->file - kept + 1 : 0;
	int ret = 0;

	for (u32 file = first; file <= w->file; file++) {
		int err = trace_file_sync(w->place, file, &w->ids[file]);

		if (!err && file == w->file && !trace_file_is_there(w->place, file, &w->ids[file]))
			err = -ENOENT;
		if (err == -ENOENT && file == w->file)
			ret = error(err,
				    "the trace '%s' was moved, removed or replaced while it "
				    "was written",
				    w->place->path);
		else if (err && err != -ENOENT)
			ret = error(err, "cannot write '%s' to the disk: %s", w->place->path,
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
		err = write_sums(w, sums);
	if (!ret && !w->failed)
		ret = end_file(w, false);
	if (!ret)
		ret = err ? err : sync_files(w);
	writer_free(w);
	return ret;
}
