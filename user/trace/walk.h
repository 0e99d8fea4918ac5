/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the chunks of a trace file by their heads. A chunk is a head and a payload. The number of a
 * chunk is its position in the file: 0, 1, 2 and so on. A valid head has the magic bytes, the
 * file's id, a correct checksum, and a higher number than the chunk before. Damaged bytes are
 * skipped. */
#ifndef IOSPAN_TRACE_WALK_H
#define IOSPAN_TRACE_WALK_H

#include <sys/types.h>
#include "user/trace/format.h"

struct walk {
	int fd;
	const char *path;
	u64 size;
	u32 id;	     /* id of the file, which all its chunks have */
	u64 missing; /* number of lost chunks so far, from the gaps in the chunk numbers */
	u64 at;	     /* offset at which the next chunk is expected */
	u64 scanned; /* offset at which the search for a head starts if no head is at @at */
	u32 due;     /* number of the next chunk if none is missing */
	u8 *window;  /* buffer with the part of the file that is searched */
	u64 window_at;
	size_t window_n;
};

/* Prepares a walk through the chunks of a trace file. Takes the file's id from the head of the file
 * or, if the head is damaged, from the first chunk. Returns 0, or -errno after it has printed an
 * error. The caller must call walk_end() even after an error. */
int walk_begin(struct walk *w, int fd, const char *path, u64 size);
void walk_end(struct walk *w);

/* Finds the next chunk. Sets @c to its head and *@at to its offset. Returns 1, 0 at the end of the
 * file, or -errno after it has printed an error. */
int walk_next(struct walk *w, struct chunk *c, u64 *at);

/* Reads @n bytes at offset @at. Returns the number of bytes read, which is less than @n only at the
 * end of the file, or -errno after it has printed an error. */
ssize_t walk_read(int fd, const char *path, void *to, size_t n, u64 at);

#endif
