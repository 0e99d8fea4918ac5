/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the chunks of a trace file by their heads, without reading payloads. A head is valid if its
 * magic, its checksum and the id of the file are right and its number is not below the one
 * expected. After damage, the search continues with the next valid head. */
#ifndef IOSPAN_TRACE_WALK_H
#define IOSPAN_TRACE_WALK_H

#include <sys/types.h>
#include "user/trace/format.h"

struct walk {
	int fd;
	const char *path; /* for errors */
	u64 size;	  /* of the file */
	u32 id;		  /* of the file */
	u64 missing;	  /* chunks lost so far: gaps in the numbers */
	/* private */
	u64 at;	     /* offset of the next chunk, if nothing is damaged */
	u64 scanned; /* the search for a head continues here */
	u32 due;     /* least number of the next chunk */
	u8 *window;  /* bytes of the file, for the search */
	u64 window_at;
	size_t window_n;
};

/* Reads the head of the file. If that is damaged, takes the id of the first chunk. -errno, printed;
 * call walk_end() in any case. */
int walk_begin(struct walk *w, int fd, const char *path, u64 size);
void walk_end(struct walk *w);

/* Finds the next chunk that the file has in full, and the offset @at of its head. Returns 1, or 0
 * at the end. -errno, printed. */
int walk_next(struct walk *w, struct chunk *c, u64 *at);

/* Reads @n bytes at offset @at. Returns their number, less than @n only at the end of the file.
 * -errno, printed. */
ssize_t walk_read(int fd, const char *path, void *to, size_t n, u64 at);

#endif
