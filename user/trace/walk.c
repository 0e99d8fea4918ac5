// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the chunks of a trace file. The window is a buffer with the part of the file in which a
 * head is searched. */
#include "user/trace/reader.h"

#include <stdlib.h>
#include <unistd.h>

#include "user/base/err.h"

#define WINDOW (256 << 10)
/* If the head of the file is damaged, the first chunk is searched within this number of bytes from
 * the start. */
#define HEAD_WITHIN (8 << 20)

ssize_t walk_read(int fd, const char *path, void *to, size_t n, u64 at)
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

/* Returns true if @head is an undamaged head of a chunk that can come next. The number of the chunk
 * must be w->due, the number expected next, or higher. Unless @any_file is true, the chunk must
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

/* Searches for a valid head of a chunk from offset w->scanned on. Gives up at offset @limit, or up
 * to one buffer size later. Sets *@found to the offset of the head. Returns 1, or 0 if no head is
 * found, or -errno. */
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
		/* A head may start in the last bytes of the window and continue behind the window.
		 * So these bytes are searched again. */
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

int walk_begin(struct walk *w, int fd, const char *path, u64 size)
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

void walk_end(struct walk *w)
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

int walk_next(struct walk *w, struct chunk *c, u64 *at)
{
	for (;;) {
		int ret = read_head(w, c);

		/* The last valid head says that the next chunk is at w->at. If no valid head is
		 * there, the length in the last head may be wrong, so the search starts at the end
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
			/* The file ends within the payload of this chunk. Searches for another
			 * chunk. */
			continue;
		w->missing += c->number - w->due;
		w->due = c->number + 1;
		w->at += c->stored;
		return 1;
	}
}
