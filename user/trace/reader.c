// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the chunks of a trace file. The index has the positions of the NAMES and ACCESSES chunks.
 * META, SUMS and END chunks occur once per file. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/trace/reader.h"
#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/base/out-read.h"

/* ---- the search for chunks; the window is the part of the file that is searched ---- */

struct walk {
	int fd;
	const char *path;
	u64 size;
	u32 id;	     /* id of the file, which all its chunks have */
	u64 missing; /* number of lost chunks so far, from the gaps in the chunk numbers */
	u64 at;	     /* offset at which the next chunk is expected */
	u64 scanned; /* if no head is at .at, the search for a head starts at this offset */
	u32 due;     /* number of the next chunk if none is missing */
	u8 *window;  /* buffer with the part of the file that is searched */
	u64 window_at;
	size_t window_n;
};

#define WINDOW (256 << 10)
/* If the head of the file is damaged, iospan searches the file's first HEAD_WITHIN bytes for a
 * chunk. */
#define HEAD_WITHIN (8 << 20)

/* Reads @n bytes at offset @at. Returns the number of bytes read; it is less than @n only at the
 * end of the file. After an error, prints it and returns -errno. */
static ssize_t walk_read(int fd, const char *path, void *to, size_t n, u64 at)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = pread(fd, (char *)to + done, n - done, at + done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error(-errno, "cannot read '%s' at %llu: %s", path,
				     (unsigned long long)(at + done), strerror(errno));
		if (!got)
			break;
		done += got;
	}
	return done;
}

/* Returns true if @head is the undamaged head of a chunk that can come next. The number of this
 * chunk is w->due if no chunk is missing, otherwise higher. If @any_file is false, the chunk must
 * also have this file's id. */
static bool is_valid(const struct walk *w, const u8 *head, struct chunk *c, bool any_file)
{
	return !chunk_get(c, head) && c->number >= w->due && (any_file || c->id == w->id);
}

/* Returns the first offset, from @at on, that is not in a hole of a sparse file. A search through a
 * hole would find nothing, and a hole may be huge. */
static u64 skip_hole(const struct walk *w, u64 at)
{
	off_t data = lseek(w->fd, at, SEEK_DATA);

	if (data < 0)
		return errno == ENXIO ? w->size : at;
	return data;
}

/* Ensures that the buffer w->window has the file's bytes from offset w->scanned on. Returns 1, or 0
 * if the rest of the file is shorter than a head, or -errno. */
static int fill_window(struct walk *w)
{
	ssize_t n;

	if (w->scanned >= w->window_at && w->scanned + CHUNK_HEAD <= w->window_at + w->window_n)
		return 1;
	w->scanned = skip_hole(w, w->scanned);
	w->window_at = w->scanned;
	w->window_n = 0;
	n = walk_read(w->fd, w->path, w->window, WINDOW, w->scanned);
	if (n < 0)
		return n;
	w->window_n = n;
	return n >= CHUNK_HEAD;
}

/* Searches for a valid head of a chunk from offset w->scanned on. May search up to one buffer
 * beyond offset @limit. Sets *@found to the offset of the head. Returns 1 if a head was found, 0
 * if there is none, or -errno. */
static int find_head(struct walk *w, u64 limit, bool any_file, u64 *found)
{
	while (w->scanned + CHUNK_HEAD <= limit) {
		int ret = fill_window(w);
		const u8 *end = w->window + w->window_n, *p = w->window + w->scanned - w->window_at;
		struct chunk c;

		if (ret <= 0)
			return ret;
		while ((p = memmem(p, end - p, CHUNK_MAGIC, 4)) && end - p >= CHUNK_HEAD) {
			*found = w->window_at + (p - w->window);
			w->scanned = *found + 1;
			if (is_valid(w, p, &c, any_file))
				return 1;
			p++;
		}
		/* A head may start in the last bytes of the window and continue after the window.
		 * So these bytes are searched again, in the next window. */
		w->scanned = w->window_at + w->window_n - (CHUNK_HEAD - 1);
	}
	return 0;
}

static int check_version(const struct walk *w, const struct file_head *h)
{
	if (h->major == TRACE_MAJOR)
		return 0;
	return error(-ENOTSUP, "'%s' is a trace of version %u.%u; this iospan reads version %u",
		     w->path, h->major, h->minor, TRACE_MAJOR);
}

/* Finds the first chunk, if the head of the file is damaged. The head of a chunk is sufficient to
 * read the file, because it has the file's id and the format's version, too. */
static int begin_without_head(struct walk *w)
{
	u64 limit = w->size < HEAD_WITHIN ? w->size : HEAD_WITHIN, at;
	u8 head[CHUNK_HEAD];
	struct chunk c;
	ssize_t n = find_head(w, limit, true, &at);

	if (n > 0)
		n = walk_read(w->fd, w->path, head, CHUNK_HEAD, at);
	if (n < 0)
		return n;
	if (n < CHUNK_HEAD || chunk_get(&c, head))
		return error(-EINVAL,
			     "'%s' is no trace of iospan; give a file that 'iospan record' or "
			     "'iospan import' has written",
			     w->path);
	w->id = c.id;
	w->at = w->scanned = at;
	return 0;
}

/* Prepares the search for the chunks of a trace file. Takes the id from the head of the file or, if
 * the head is damaged, from the first chunk. The caller must call walk_end() even after an
 * error. */
static int walk_begin(struct walk *w, int fd, const char *path, u64 size)
{
	u8 bytes[FILE_HEAD];
	struct file_head h;
	ssize_t n;

	*w = (struct walk){ .fd = fd, .path = path, .size = size };
	w->window = need(malloc(WINDOW));
	n = walk_read(fd, path, bytes, FILE_HEAD, 0);
	if (n < 0)
		return n;
	if (n < FILE_HEAD || file_head_get(&h, bytes))
		return begin_without_head(w);
	w->id = h.id;
	w->at = w->scanned = FILE_HEAD;
	return check_version(w, &h);
}

static void walk_end(struct walk *w)
{
	free(w->window);
	w->window = NULL;
}

/* Reads the head of a chunk that is expected at offset w->at. Returns 1, 0 if there is no valid
 * head, or -errno. */
static int read_head(struct walk *w, struct chunk *c)
{
	u8 head[CHUNK_HEAD];
	ssize_t n = walk_read(w->fd, w->path, head, CHUNK_HEAD, w->at);

	return n < 0 ? n : n == CHUNK_HEAD && is_valid(w, head, c, false);
}

/* Finds the next chunk. Sets @c to its head and *@at to its offset. Returns 1 if a chunk was
 * found, 0 at the end of the file, or -errno after it has printed an error. */
static int walk_next(struct walk *w, struct chunk *c, u64 *at)
{
	for (;;) {
		int ret = read_head(w, c);

		/* According to the last valid head, the next chunk is at w->at. If no valid head is
		 * there, the length in the last head may be wrong. So the search starts at the end
		 * of the last head. */
		if (!ret)
			ret = find_head(w, w->size, false, &w->at);
		if (ret <= 0)
			return ret;
		ret = read_head(w, c);
		if (ret <= 0)
			return ret;
		*at = w->at;
		w->at += CHUNK_HEAD;
		if (w->scanned < w->at)
			w->scanned = w->at;
		if (c->stored > w->size - w->at)
			/* The file ends within the payload of this chunk, so the chunk is lost.
			 * Searches for the next chunk. */
			continue;
		w->missing += c->number - w->due;
		w->due = c->number + 1;
		w->at += c->stored;
		return 1;
	}
}

/* ---- the index of the chunks ---- */

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

/* Sets before_ns of each chunk to the earliest start of an access in all later chunks. Before the
 * call, before_ns is the earliest start in the chunk itself (add_entry()). */
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
