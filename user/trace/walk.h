/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chunks of a file, found by their heads: over what is damaged to the next that is
 * not. Their payloads are not looked at. */
#ifndef IOSPAN_TRACE_WALK_H
#define IOSPAN_TRACE_WALK_H

#include <sys/types.h>
#include "user/trace/format.h"

struct walk {
	int fd;
	const char *path;
	u64 size; /* of the file */
	u32 id;
	u64 missing; /* chunks that are not there, by the numbers of the others */

	u64 at;	     /* where the next is due */
	u64 scanned; /* no head to be looked for before */
	u32 due;     /* its number, or a higher one */
	u8 *window;  /* what was read of the file, for the search */
	u64 window_at;
	size_t window_n;
};

/* Looks at the head of the file. -errno, printed. */
int walk_begin(struct walk *w, int fd, const char *path, u64 size);
void walk_end(struct walk *w);

/* The next chunk that is there in full, and where; 0: no more, or -errno, printed. */
int walk_next(struct walk *w, struct chunk *c, u64 *at);

/* @n bytes at @at, fewer only where the file ends. -errno, printed. */
ssize_t walk_read(int fd, const char *path, void *to, size_t n, u64 at);

#endif
