/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names and streams of a trace writer. The table has each of them once, with its number in the
 * current file. */
#ifndef IOSPAN_TRACE_NAMES_H
#define IOSPAN_TRACE_NAMES_H

#include "user/trace/trace.h"

/* A buffer that grows on demand. */
struct bytes {
	u8 *at;
	size_t n, room;
};
/* appends @n bytes, which the caller must set; returns them */
u8 *bytes_add(struct bytes *b, size_t n);

/* one list for each kind of name, and a last one for streams */
#define TRACE_LISTS (TRACE_KINDS + 1)

struct name_item {
	union {
		struct trace_name name;
		struct trace_stream stream;
	};
	/* number of the last file that has the item, and the item's number in it */
	u32 file, number;
};

/* A list of items. The item at index i has the number i + 1. A hash table finds an equal item. */
struct name_list {
	struct name_item *items;
	u32 n, room;
	/* hash table of item numbers, 0: free element; its size, a power of two */
	u32 *slots, n_slots;
	u32 new_from;  /* index of the first item for which no record was made */
	u32 kept_from; /* index of the first item for which no record was written to a file */
	u32 numbers;   /* count of items with a number in the current file */
};

struct name_table {
	struct name_list lists[TRACE_LISTS];
	u32 file; /* number of the current file, from 1 */
};

/* Return the number of an equal item. If there is none, add the item. */
u32 names_add(struct name_table *t, const struct trace_name *n);
u32 names_add_stream(struct name_table *t, const struct trace_stream *s);
void names_release(struct name_table *t);

/* Starts another file, in which no name has a record yet. */
void names_next_file(struct name_table *t);
/* The writer calls this when the records made so far have been written. Otherwise it makes them
 * again for the next file. */
void names_kept(struct name_table *t);

/* Append records for NAMES chunks to @to, and return their count. names_put_stream() appends
 * @stream and its names. names_put_new() appends new items until @to has @most bytes. Both skip
 * items that the current file already has. */
u32 names_put_stream(struct name_table *t, u32 stream, struct bytes *to);
u32 names_put_new(struct name_table *t, u32 most, struct bytes *to);

/* Returns the number of @stream in the current file, or 0 if the file does not have it. */
static inline u32 names_number(const struct name_table *t, u32 stream)
{
	const struct name_item *i = &t->lists[TRACE_KINDS].items[stream - 1];

	return i->file == t->file ? i->number : 0;
}

#endif
