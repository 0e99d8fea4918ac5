/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the chunks of a trace file by their heads, without reading payloads. A head is valid if its
 * magic, its checksum and its file id are right, and if its number is not smaller than expected.
 * After damaged bytes, the search continues with the next valid head. */
#ifndef IOSPAN_TRACE_WALK_H
#define IOSPAN_TRACE_WALK_H

#include <sys/types.h>
#include "user/trace/format.h"

struct walk {
	int fd;
	const char *path; /* path of the file, for messages */
	u64 size;	  /* size of the file */
	u32 id;		  /* id of the file */
	u64 missing;	  /* number of chunks lost so far, from gaps in the numbers of chunks */
	/* the members below are used only in walk.c */
	u64 at;	     /* offset of the next chunk, unless bytes are damaged */
	u64 scanned; /* offset at which the search for a head continues */
	u32 due;     /* smallest number that the next chunk may have */
	u8 *window;  /* part of the file that is searched */
	u64 window_at;
	size_t window_n;
};

/* Reads the head of the file. If it is damaged, takes the file's id from the first chunk. Returns
 * 0, or -errno after it has printed an error. The caller must call walk_end() in both cases. */
int walk_begin(struct walk *w, int fd, const char *path, u64 size);
void walk_end(struct walk *w);

/* Finds the next chunk with a complete payload. Sets @c to its head and *@at to its offset. Returns
 * 1, 0 at the end of the file, or -errno after it has printed an error. */
int walk_next(struct walk *w, struct chunk *c, u64 *at);

/* Reads @n bytes at offset @at. Returns the number of bytes read, which is smaller than @n only at
 * the end of the file. Returns -errno after it has printed an error. */
ssize_t walk_read(int fd, const char *path, void *to, size_t n, u64 at);

#endif
