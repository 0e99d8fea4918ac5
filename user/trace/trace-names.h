/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names and streams of a writer: each is stored once, with its number in the current file. */
#ifndef IOSPAN_TRACE_NAMES_H
#define IOSPAN_TRACE_NAMES_H

#include "user/trace/trace.h"

/* A buffer that grows. */
struct bytes {
	u8 *at;
	size_t n, room;
};
u8 *bytes_add(struct bytes *b, size_t n); /* appends @n bytes, not initialized */

#define TRACE_LISTS (TRACE_KINDS + 1) /* a list per kind; the last has the streams */

struct name_item {
	union {
		struct trace_name name;
		struct trace_stream stream;
	};
	u32 file, number; /* the last file that has it, and its number there */
};

/* Item i has the number i + 1 in the table. A hash table finds equal items. */
struct name_list {
	struct name_item *items;
	u32 n, room;
	u32 *slots, n_slots; /* hash table of numbers, 0: free; size a power of two */
	u32 new_from;	     /* index of the first item that was never stored */
	u32 kept_from;	     /* index of the first item that was never written */
	u32 numbers;	     /* assigned in the current file */
};

struct name_table {
	struct name_list lists[TRACE_LISTS];
	u32 file; /* number of the current file, from 1 */
};

/* Return the number of an equal item, or add the item. */
u32 names_add(struct name_table *t, const struct trace_name *n);
u32 names_add_stream(struct name_table *t, const struct trace_stream *s);
void names_release(struct name_table *t);

/* Starts another file, which has no names yet. */
void names_next_file(struct name_table *t);
/* Call when the records are written. Otherwise the next file gets them again. */
void names_kept(struct name_table *t);

/* Append records of NAMES to @to, and return how many: @stream and its names, or all new items
 * until @to has @most bytes. Items that the current file has are skipped. */
u32 names_put_stream(struct name_table *t, u32 stream, struct bytes *to);
u32 names_put_new(struct name_table *t, u32 most, struct bytes *to);

/* The number of @stream in the current file; 0: not there. */
static inline u32 names_number(const struct name_table *t, u32 stream)
{
	const struct name_item *i = &t->lists[TRACE_KINDS].items[stream - 1];

	return i->file == t->file ? i->number : 0;
}

#endif
