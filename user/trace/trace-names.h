/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and streams as a writer has them: each once, and which of them the file at hand
 * has already. */
#ifndef IOSPAN_TRACE_NAMES_H
#define IOSPAN_TRACE_NAMES_H

#include "user/trace/trace.h"
#include "user/trace/write.h"

/* Bytes that grow. */
struct bytes {
	u8 *at;
	size_t n, room;
};
u8 *bytes_add(struct bytes *b, size_t n); /* room for @n more, counted as there */

#define TRACE_LISTS (TRACE_KINDS + 1) /* the last: streams */

struct name_item {
	union {
		struct trace_name name;
		struct trace_stream stream;
	};
	u32 file, number; /* has @number in that file; of other files: unknown */
};

/* Names of a kind, by their numbers less 1; found by a hash of what they are. */
struct name_list {
	struct name_item *items;
	u32 n, room;
	u32 *slots, n_slots; /* numbers, 0: free; a power of two */
	u32 new_from;	     /* items from here on were never put, */
	u32 kept_from;	     /* or put where they did not stay */
	u32 numbers;	     /* given in the file at hand */
};

struct name_table {
	struct name_list lists[TRACE_LISTS];
	u32 file; /* from 1 on */
};

u32 names_add(struct name_table *t, const struct trace_name *n);
u32 names_add_stream(struct name_table *t, const struct trace_stream *s);
void names_release(struct name_table *t);

/* Another file begins: it has none of them. */
void names_next_file(struct name_table *t);
/* What was put is in the file; else the next file is to have the new ones. */
void names_kept(struct name_table *t);

/* To @to, as they are in NAMES, what the file has not: @stream with all it names, or
 * those that are new; how many went there. names_number() is then its number there. */
u32 names_put_stream(struct name_table *t, u32 stream, struct bytes *to);
u32 names_put_new(struct name_table *t, u32 most, struct bytes *to);
static inline u32 names_number(const struct name_table *t, u32 stream)
{
	const struct name_item *i = &t->lists[TRACE_KINDS].items[stream - 1];

	return i->file == t->file ? i->number : 0;
}

#endif
