/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of names and streams of a trace writer. An item is one name or one stream. A stream is
 * a set of attributes, such as disk and process, that many accesses share. The writer writes each
 * item at most once per file, as a record. The record gives the item a number that is valid only in
 * this file. */
#ifndef IOSPAN_TRACE_NAMES_H
#define IOSPAN_TRACE_NAMES_H

#include <stddef.h>

#include "user/trace/trace.h"

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
	/* .file: number of the last file that has a record of the item; 0: none. .number: number of
	 * the item in that file. */
	u32 file, number;
};

/* All names of one kind, or all streams, without duplicates. The item at index i has the number i +
 * 1 in the table. A hash table finds the item that equals a given name or stream. */
struct name_list {
	struct name_item *items;
	u32 n, room;
	/* .slots: hash table with the numbers of the items; 0 is a free element. .n_slots: size of
	 * the hash table, a power of two. */
	u32 *slots, n_slots;
	u32 new_from;  /* names_put_new() has not made a record of the items from this index on */
	u32 kept_from; /* no file has a record of the items from this index on */
	u32 numbers;   /* count of items that have a number in the current file */
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
/* Call this when all records made so far are written to a file. In the next file, names_put_new()
 * then appends only records that are made after this call. */
void names_kept(struct name_table *t);

/* Append records to @to, and return the number of records. names_put_stream() appends stream number
 * @stream and the names that it refers to, unless the current file has them. names_put_new()
 * appends the items that no file has yet, until @to has @most bytes. */
u32 names_put_stream(struct name_table *t, u32 stream, struct bytes *to);
u32 names_put_new(struct name_table *t, u32 most, struct bytes *to);

/* Returns the number of @stream in the current file of the trace; 0: the file does not have it. */
static inline u32 names_number(const struct name_table *t, u32 stream)
{
	const struct name_item *i = &t->lists[TRACE_KINDS].items[stream - 1];

	return i->file == t->file ? i->number : 0;
}

#endif
