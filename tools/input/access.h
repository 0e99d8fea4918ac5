/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access together with its names. Importers make it, exporters write it. A column is one field
 * of an access as text, with a name.
 *
 * To add a column, add its row in columns[] in access.c, increase COLUMNS (and COLUMNS_OWN if it is
 * common to a stream) below, and describe the column in Documentation/iospan-import.rst. All
 * exporters and the CSV importer use the table. */
#ifndef IOSPAN_ACCESS_H
#define IOSPAN_ACCESS_H

#include <stdbool.h>
#include <stdio.h>
#include "user/trace/trace.h"
#include "user/trace/write.h"

struct access {
	struct trace_access at; /* times, bytes and so on; at.stream is not used */
	u8 layer, op, source;	/* enum values as in struct trace_stream */
	/* Names of the access. If the text of one is NULL, that name is unknown. The caller owns
	 * the texts. */
	struct trace_name disk, group, process, file;
};

/* Converts @op (enum op) of an access at the app or vfs layer to enum vfs_op. Returns -1 if these
 * layers have no such operation. */
int access_call_op(u8 op);

/* Returns true if the layer of @s can have its operation and source. Reports leave out other
 * accesses, which only a faulty file has. */
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

/* All columns, in the order of CSV and JSON. The first COLUMNS_OWN columns are equal for all
 * accesses of a stream. The last element has the name NULL. */
extern const struct column columns[];
#define COLUMNS 22
#define COLUMNS_OWN 12

/* Writes the value of column @c of the access @x to @f as a CSV cell. */
void column_write(FILE *f, const struct column *c, const struct access *x);

/* Sets the field of @x that belongs to column @c from the CSV cell @text. @x may refer to @text, so
 * it must exist as long as @x. An empty cell changes nothing. Returns NULL if the cell is valid,
 * otherwise what was expected, such as "0 or 1". */
const char *column_read(const struct column *c, struct access *x, char *text);

/* Adds the value of column @c of the access @x to the JSON object @node, with the column's name as
 * key. An empty cell becomes null. */
void column_out(struct out *node, const struct column *c, const struct access *x);

/* Writes the value of column @c of the access @x to @f as JSON, without the key. Only for the
 * columns from COLUMNS_OWN on. */
void column_json(FILE *f, const struct column *c, const struct access *x);

#endif
