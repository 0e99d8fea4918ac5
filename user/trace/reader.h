/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal interface of the trace reader, which consists of these files:
 *
 * trace-read.h    the interface: batches of accesses, names, state
 * reader.c        search for chunks, the index of a file's chunks, and one chunk in memory
 * known.c         names and streams, from NAMES chunks
 * columns.h       columns of accesses, from ACCESSES chunks
 * format.h        the bytes of heads and names
 *
 * A trace consists of chunks, each with a head and a payload. A stream is a set of attributes that
 * many accesses share, such as disk and process. A record is one name or one stream in a chunk. */
#ifndef IOSPAN_TRACE_READER_H
#define IOSPAN_TRACE_READER_H

#include <stddef.h>
#include <sys/types.h>

#include "user/trace/columns.h"
#include "user/trace/format.h"
#include "user/trace/trace-read.h"

/* ---- known.c: the names and streams read so far, by their numbers in the file ---- */

/* An array that grows in blocks of memory, called pages. Items never move, so the pointers that
 * known_name() returned stay valid. */
struct known_list {
	void **pages;
	u32 n_pages, highest;
};

struct known {
	struct known_list names[TRACE_KINDS], streams;
	/* all streams with numbers from 1 to this number are known, so accesses that refer to them
	 * need no check */
	u32 streams_gapless;
};

/* Adds the names and streams of a NAMES chunk. @raw is the decompressed payload: one record per
 * name or stream. Returns 0, or -EBADMSG if a record is invalid or has a number above @highest. The
 * records before the invalid one are added nevertheless. */
int known_read(struct known *k, const u8 *raw, size_t size, u64 highest);
void known_release(struct known *k);

/* Return the name or stream with number @number in the file; NULL: no chunk read so far has it. */
const struct trace_name *known_name(const struct known *k, u32 kind, u32 number);
const struct trace_stream *known_stream(const struct known *k, u32 number);

/* ---- the reader ---- */

struct entry {
	u64 at;	       /* offset of the chunk's head in the file */
	u64 before_ns; /* no access in a later chunk starts before this time */
	u32 stored;    /* size of the chunk's payload in the file, in bytes */
};

struct trace_reader {
	int fd;
	char *path;
	u64 size;
	u32 id;		       /* id from the file's head; chunks with another id are ignored */
	struct entry *entries; /* the index: NAMES and ACCESSES chunks in the order of the file */
	/* .n: number of entries. .room: number of entries allocated. .next: index of the entry that
	 * trace_next() reads next. */
	size_t n, room, next;
	u32 most; /* largest number of accesses in a chunk; size of the arrays in .batch */
	/* state when trace_open() returned, before any NAMES or ACCESSES chunk was read */
	struct trace_state opened;
	/* current state, which includes the chunks that trace_next() has read so far */
	struct trace_state state;
	struct out *meta, *sums;
	struct known known;
	struct trace_batch batch;
	struct packer *packer;
	/* The members below belong to the chunk that reader_load() loaded last. */
	struct chunk c;
	/* .stored: head and payload of the chunk as they are in the file. .raw: payload after
	 * decompression. */
	u8 *stored, *raw;
	size_t stored_room, raw_room;
};

/* Reads the chunk at offset @at, with a payload of @stored bytes, into r->c and r->stored. Returns
 * 1 if the chunk is good, 0 if it is damaged, or -errno after it has printed an error. */
int reader_load(struct trace_reader *r, u64 at, u32 stored);

/* Decompresses the payload of the chunk that reader_load() loaded last. Returns the payload of
 * r->c.raw bytes, or NULL if the chunk is damaged. */
const u8 *reader_unpack(struct trace_reader *r);

/* Counts one chunk in @s: as read if @good is true, else as damaged. @stored is the size of its
 * payload in bytes. */
void count_chunk(struct trace_state *s, u32 stored, bool good);

/* Opens the file r->path, indexes its chunks, and reads META, SUMS and END. Returns 0, or -errno
 * after it has printed an error. */
int reader_open_file(struct trace_reader *r);

#endif
