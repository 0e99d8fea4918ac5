/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to the reading side of a trace, which has these layers:
 *
 *	trace-read.h	the interface: batches of accesses, names, state
 *	reader.h	the index of a file's chunks, and one chunk in memory
 *	known.h		names and streams, from NAMES chunks
 *	columns.h	columns of accesses, from ACCESSES chunks
 *	walk.h		search for the heads of chunks
 *	format.h	the bytes of heads and names
 *
 * reader_open_file() walks over all heads, reads META, SUMS and END, and indexes the other chunks.
 * trace_next() then loads one chunk of the index after the other. */
#ifndef IOSPAN_TRACE_READER_H
#define IOSPAN_TRACE_READER_H

#include "user/trace/columns.h"
#include "user/trace/format.h"
#include "user/trace/known.h"
#include "user/trace/trace-read.h"

/* The index entry of a NAMES or ACCESSES chunk. */
struct entry {
	u64 at;	       /* offset of its head in the file */
	u64 before_ns; /* no access of a later chunk starts before */
	u32 stored;    /* bytes of its payload */
};

struct trace_reader {
	int fd;
	char *path;
	u64 size;		   /* of the file */
	u32 id;			   /* of the file, from its head */
	struct entry *entries;	   /* the index */
	size_t n, room, next;	   /* entries; allocated; the next to read */
	u32 most;		   /* accesses in the largest chunk */
	struct trace_state opened; /* state after reader_open_file() */
	struct trace_state state;  /* state with the chunks read since */
	struct out *meta, *sums;
	struct known known;
	struct trace_batch batch;
	struct packer *packer;
	/* the chunk in memory */
	struct chunk c;
	u8 *stored, *raw; /* head and payload as stored; payload unpacked */
	size_t stored_room, raw_room;
};

/* Reads the chunk with a payload of @stored bytes at offset @at into r->c and r->stored. Returns 1,
 * or 0 if the chunk is damaged. -errno, printed, if the file cannot be read. */
int reader_load(struct trace_reader *r, u64 at, u32 stored);

/* Returns the unpacked payload of the loaded chunk, r->c.raw bytes, or NULL if it is damaged. */
const u8 *reader_unpack(struct trace_reader *r);

/* Counts a chunk with a payload of @stored bytes. @good: its checksum and contents are right. */
void count_chunk(struct trace_state *s, u32 stored, bool good);

/* Opens r->path; sets r->fd, r->size, r->id, the index, r->opened, r->meta and r->sums. -errno,
 * printed. */
int reader_open_file(struct trace_reader *r);

#endif
