/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal interface of the trace writer, which consists of these files:
 *
 * write.h         the interface; splits the trace into files
 * pack.h          builds chunks in memory
 * trace-names.c   names and streams, for NAMES chunks
 * columns.h       columns of accesses, for ACCESSES chunks
 * file.h          creates, removes and syncs files
 * format.h        the bytes of heads and names
 *
 * A trace consists of chunks, each with a head and a payload. A stream is a set of attributes that
 * many accesses share, such as disk and process. A record is one name or one stream in a chunk. */
#ifndef IOSPAN_TRACE_WRITER_H
#define IOSPAN_TRACE_WRITER_H

#include <stddef.h>

#include "user/trace/columns.h"
#include "user/trace/file.h"
#include "user/trace/format.h"
#include "user/trace/write.h"
#include "user/trace/trace.h"

/* ---- trace-names.c: the table of names and streams. An item is one name or one stream. The
 * writer writes each item at most once per file, as a record. The record gives the item a number
 * that is valid only in this file. ---- */

struct bytes {
	u8 *at;
	size_t n, room;
};
/* Makes the buffer @n bytes longer and returns the new bytes, which the caller must fill. */
u8 *bytes_add(struct bytes *b, size_t n);

/* number of lists in a name_table: one for each kind of name, and the last one for streams */
#define TRACE_LISTS (TRACE_KINDS + 1)

struct name_item {
	union {
		struct trace_name name;
		struct trace_stream stream;
	};
	/* .file: number of the last file to which this name or stream was written; 0: none.
	 * .number: its number in that file. */
	u32 file, number;
};

/* All names of one kind, or all streams, without duplicates. The item at index i has the number i +
 * 1 in the table. A hash table finds the item that equals a given name or stream. */
struct name_list {
	struct name_item *items;
	u32 n, room;
	/* .slots: hash table; an element has the number of an item, or 0 if the element is free.
	 * .n_slots: size of the hash table, a power of two. */
	u32 *slots, n_slots;
	u32 new_from;  /* index of the item with which names_put_new() continues */
	u32 kept_from; /* items with this index or a higher index are in no file yet */
	u32 numbers;   /* number of items that were written to the current file */
};

struct name_table {
	struct name_list lists[TRACE_LISTS];
	/* number of the current file of the trace, from 1; compared with name_item.file */
	u32 file;
};

/* Return the number of a name or stream in the table. If the table has no equal name or stream, a
 * copy is added first. */
u32 names_add(struct name_table *t, const struct trace_name *n);
u32 names_add_stream(struct name_table *t, const struct trace_stream *s);
void names_release(struct name_table *t);

/* Call this when the writer starts another file of a split trace. The new file has no names yet, so
 * names are written again as needed. */
void names_next_file(struct name_table *t);
/* Call this when all records made so far are written to a file. Records that were not confirmed by
 * this call are made again: after names_next_file(), names_put_new() appends them to the next
 * file. */
void names_kept(struct name_table *t);

/* Append records to @to, and return the number of records. names_put_stream() appends stream number
 * @stream and the names that it refers to. It leaves out those that the current file already has.
 * names_put_new() appends the items that no file has yet. It stops when @to has @most bytes. */
u32 names_put_stream(struct name_table *t, u32 stream, struct bytes *to);
u32 names_put_new(struct name_table *t, u32 most, struct bytes *to);

/* Returns the number of @stream in the current file of the trace; 0: the file does not have it. */
static inline u32 names_number(const struct name_table *t, u32 stream)
{
	const struct name_item *i = &t->lists[TRACE_KINDS].items[stream - 1];

	return i->file == t->file ? i->number : 0;
}

/* ---- the writer ---- */

struct trace_writer {
	/* .place: directory of the trace. It belongs to the caller, or it is .own if trace_create()
	 * opened it. */
	struct trace_place own;
	const struct trace_place *place;
	struct trace_write_options o;
	char *meta; /* JSON text of the META chunk */
	size_t meta_size;
	u64 row; /* random number that the META chunks of all files of this trace have in common */

	int fd;
	/* true: the writer created the current file; false: an empty file existed before */
	bool made;
	u32 file; /* number of the current file of a split trace, from 0 */
	/* ids[i] identifies file i, so that the writer never removes or syncs a file of another
	 * program */
	struct trace_file_id *ids;
	/* .id: id in the head of the current file. .chunks: number of chunks written to this
	 * file. */
	u32 id, chunks;
	u64 file_bytes, file_accesses; /* bytes and accesses written to the current file */
	u64 bytes, accesses;	       /* bytes and accesses written to all files */
	/* Number of accesses written, by layer. An access may be written as several records, for
	 * instance if the driver requeued the request. Only the record without the flag
	 * TRACE_PART is counted here. */
	u64 whole[LAYERS];
	int failed; /* -errno of the first error that prevents writing; all later calls return it */

	struct name_table names;
	/* accesses in memory that trace_flush() will write as the next chunk */
	struct trace_batch kept;
	u32 room;
	/* numbers[i]: stream number, in the current file, of access i of .kept */
	u32 *numbers;
	struct packer *packer;
	struct bytes raw; /* payload of the chunk that is being built, before compression */
	struct bytes out; /* output buffer: complete chunks for the next write(2) */
	u32 out_chunks;
};

void put_meta(struct trace_writer *w);
/* Clears the output buffer w->out, then appends chunks with the new names and with the accesses
 * that are in memory (w->kept). */
void put_kept(struct trace_writer *w);
void put_sums(struct trace_writer *w, const char *text, size_t size);
void put_end(struct trace_writer *w, bool followed);

static inline void put_nothing(struct trace_writer *w)
{
	w->out.n = w->out_chunks = 0;
}

#endif
