/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A reader's own: between trace-open.c, which finds the chunks, and trace-read.c, which
 * has what is in them. */
#ifndef IOSPAN_TRACE_READER_H
#define IOSPAN_TRACE_READER_H

#include "user/trace/columns.h"
#include "user/trace/format.h"
#include "user/trace/known.h"
#include "user/trace/trace-read.h"

/* A chunk of names or accesses. */
struct entry {
	u64 at;
	u64 before_ns; /* those after it begin no earlier */
	u32 stored;
};

struct trace_reader {
	int fd;
	char *path;
	u64 size;
	u32 id;
	struct entry *entries;
	size_t n, room, next;
	u32 most;			  /* accesses in one of them */
	struct trace_state opened, state; /* after trace_open(), and now */
	struct out *meta, *sums;
	struct known known;
	struct trace_batch batch;
	struct packer *packer;
	struct chunk c; /* that which is in: */
	u8 *stored, *raw;
	size_t stored_room, raw_room;
};

/* Reads the chunk of @stored bytes at @at into r->c and r->stored. 1: it is whole; 0: not;
 * -errno, printed. */
int reader_load(struct trace_reader *r, u64 at, u32 stored);

/* Its payload unpacked; NULL: it cannot be. */
const u8 *reader_unpack(struct trace_reader *r);

/* A chunk of @stored bytes is done with; not @good: its checksum is wrong, or it makes no
 * sense. */
void count_chunk(struct trace_state *s, u32 stored, bool good);

/* Opens r->path: r->fd, r->opened, r->entries and the objects. -errno, printed. */
int reader_open_file(struct trace_reader *r);

#endif
