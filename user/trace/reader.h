/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal header of the trace reader, which has these files:
 *
 * 	trace-read.h	the interface: batches of accesses, names, state
 * 	reader.h	the index of a file's chunks, and one chunk in memory
 * 	known.h		names and streams, from NAMES chunks
 * 	columns.h	columns of accesses, from ACCESSES chunks
 * 	walk.h		search for the heads of chunks
 * 	format.h	the bytes of heads and names
 *
 * reader_open_file() reads the heads of all chunks, and the payloads of META, SUMS and END. It
 * makes an index of the other chunks. trace_next() then loads these chunks one by one. */
#ifndef IOSPAN_TRACE_READER_H
#define IOSPAN_TRACE_READER_H

#include "user/trace/columns.h"
#include "user/trace/format.h"
#include "user/trace/known.h"
#include "user/trace/trace-read.h"

/* An entry of the index: a NAMES or ACCESSES chunk. */
struct entry {
	u64 at;	       /* offset of the chunk's head in the file */
	u64 before_ns; /* no access in a later chunk starts before this time */
	u32 stored;    /* bytes of the payload in the file */
};

struct trace_reader {
	int fd;
	char *path;
	u64 size;	       /* size of the file in bytes */
	u32 id;		       /* id of the file, from its head */
	struct entry *entries; /* the index, in the order of the file */
	/* number of entries; number allocated; index of the entry to read next */
	size_t n, room, next;
	u32 most;		   /* number of accesses in the largest chunk */
	struct trace_state opened; /* state at the end of reader_open_file() */
	struct trace_state state;  /* state including the chunks read since then */
	struct out *meta, *sums;
	struct known known;
	struct trace_batch batch;
	struct packer *packer;
	/* the members below are for the chunk that is loaded */
	struct chunk c;
	u8 *stored, *raw; /* head and payload as in the file; payload unpacked */
	size_t stored_room, raw_room;
};

/* Loads the chunk at offset @at, with a payload of @stored bytes, into r->c and r->stored. Returns
 * 1, or 0 if the chunk is damaged. If the file cannot be read, prints an error and returns
 * -errno. */
int reader_load(struct trace_reader *r, u64 at, u32 stored);

/* Unpacks the payload of the loaded chunk. Returns r->c.raw bytes, or NULL if the payload is
 * damaged. */
const u8 *reader_unpack(struct trace_reader *r);

/* Counts a chunk with a payload of @stored bytes in @s. @good is true if its checksum and its
 * content are right. */
void count_chunk(struct trace_state *s, u32 stored, bool good);

/* Opens r->path. Sets r->fd, r->size, r->id, the index, r->opened, r->meta and r->sums. Returns 0,
 * or -errno after it has printed an error. */
int reader_open_file(struct trace_reader *r);

#endif
