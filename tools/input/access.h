/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access with its names, as importers make it and exporters write it, and its columns as
 * text.
 *
 * To add a column, add its row in columns[] in access.c, increase COLUMNS or COLUMNS_OWN below,
 * and describe the column in Documentation/iospan-import.rst. All exporters and the CSV importer
 * read the table. */
#ifndef IOSPAN_ACCESS_H
#define IOSPAN_ACCESS_H

#include <stdbool.h>
#include <stdio.h>
#include "user/trace/trace.h"
#include "user/trace/write.h"

struct access {
	struct trace_access at; /* at.stream is not used */
	u8 layer, op, source;	/* same values as in struct trace_stream */
	/* If the text of a name is NULL, the name is unknown. The caller owns the texts. */
	struct trace_name disk, group, process, file;
};

/* Returns the enum vfs_op for @op, an enum op of the app or vfs layer. Returns -1 if there is
 * none. */
int access_call_op(u8 op);

/* Returns true if the operation and the source of @s exist at its layer. */
bool access_is_countable(const struct trace_stream *s);

/* Initialiser of a struct access: a read at the app layer without names. */
#define ACCESS_NONE \
	{ \
		.at.offset = TRACE_NO_OFFSET \
	}

enum column_type {
	COLUMN_WORD,   /* u8, an index into @words */
	COLUMN_TEXT,   /* const char *; an empty cell is NULL */
	COLUMN_NUMBER, /* u64 */
	COLUMN_OFFSET, /* u64; an empty cell is TRACE_NO_OFFSET */
	COLUMN_DEV,    /* u64 major << 20 | minor, as "254:0"; an empty cell is 0 */
	COLUMN_BOOL,   /* bool, as 0 or 1 */
	COLUMN_FLAG,   /* bit @flag of at.flags, as 0 or 1 */
};

struct column {
	const char *name;
	enum column_type type;
	size_t at;		  /* offset in struct access */
	const char *const *words; /* array of words_n words */
	unsigned words_n;
	u32 flag;
};

/* All columns; the last entry has a NULL name. The first COLUMNS_OWN columns are common to a
 * stream. */
extern const struct column columns[];
#define COLUMNS 22
#define COLUMNS_OWN 12

/* Writes the cell of column @c of @x as CSV. */
void column_write(FILE *f, const struct column *c, const struct access *x);

/* Sets the field of @x from the cell @text, which must live as long as @x. An empty cell changes
 * nothing. Returns NULL if the cell is valid, otherwise the expected content, such as "0 or 1". */
const char *column_read(const struct column *c, struct access *x, const char *text);

/* Sets the key of column @c in the JSON object @node. An empty cell becomes null. */
void column_out(struct out *node, const struct column *c, const struct access *x);

/* Writes the value of column @c of @x as JSON. Only for columns from COLUMNS_OWN on. */
void column_json(FILE *f, const struct column *c, const struct access *x);

#endif
