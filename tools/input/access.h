/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access with its names, which importers make and exporters write. A new column needs a row in
 * columns[] in access.c, the number COLUMNS (and COLUMNS_OWN) below, and a description in
 * Documentation/iospan-import.rst. */
#ifndef IOSPAN_ACCESS_H
#define IOSPAN_ACCESS_H

#include <stdbool.h>
#include <stdio.h>
#include "user/trace/trace.h"
#include "user/trace/write.h"

struct access {
	struct trace_access at; /* times, bytes and so on; at.stream is not used */
	u8 layer, op, source;	/* enum values as in struct trace_stream */
	/* The caller owns the texts. NULL: the name is unknown. */
	struct trace_name disk, group, process, file;
};

/* Converts enum op of the app or vfs layer to enum vfs_op; -1: there is none. */
int access_call_op(u8 op);

/* Returns false if the layer lacks the operation or source, as in faulty files; reports skip
 * these. */
bool access_is_countable(const struct trace_stream *s);

/* Initial value of a struct access: no names, and an unknown offset. */
#define ACCESS_NONE \
	{ \
		.at.offset = TRACE_NO_OFFSET \
	}

enum column_type {
	COLUMN_WORD,   /* u8 that is an index into @words; the cell has the word */
	COLUMN_TEXT,   /* text of a name (const char *); empty cell: NULL */
	COLUMN_NUMBER, /* u64 in decimal */
	COLUMN_OFFSET, /* u64 in decimal; empty cell: TRACE_NO_OFFSET */
	COLUMN_DEV,    /* device number (u64 major << 20 | minor), as "254:0"; empty cell: 0 */
	COLUMN_BOOL,   /* bool, as 0 or 1 */
	COLUMN_FLAG,   /* the bit @flag of at.flags, as 0 or 1 */
};

struct column {
	const char *name;
	enum column_type type;
	size_t at;		  /* offset of the field in struct access, in bytes */
	const char *const *words; /* for COLUMN_WORD: array of words_n words */
	unsigned words_n;
	u32 flag;
};

/* Columns in the order of CSV and JSON. The first COLUMNS_OWN are equal for all accesses of a
 * stream. Ends with .name NULL. */
extern const struct column columns[];
#define COLUMNS 22
#define COLUMNS_OWN 12

/* Writes the value of column @c of the access @x to @f as a CSV cell. */
void column_write(FILE *f, const struct column *c, const struct access *x);

/* Sets the field of @x that belongs to column @c from the CSV cell @text. @x may refer to @text, so
 * it must exist as long as @x. An empty cell changes nothing. Returns NULL if the cell is valid,
 * otherwise what was expected, such as "0 or 1". */
const char *column_read(const struct column *c, struct access *x, char *text);

/* Adds the value to @node with the column's name as key; null for an empty cell. */
void column_out(struct out *node, const struct column *c, const struct access *x);

/* Writes only the value, for columns from COLUMNS_OWN on. */
void column_json(FILE *f, const struct column *c, const struct access *x);

#endif
