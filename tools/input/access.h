/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct access is one I/O with the names of its disk, cgroup, process and file. Importers make it,
 * and exporters write it. A column is a field of struct access as text. The source of an access at
 * the app and vfs layers is the kind of call, such as io_uring. A stream is accesses with the same
 * layer, operation, disk, process and so on (input.h). To add a column, add an element to columns[]
 * in access.c and raise COLUMNS below. If all accesses of a stream have the same value, raise
 * COLUMNS_OWN too. Describe the column in Documentation/iospan-import.rst. */
#ifndef IOSPAN_ACCESS_H
#define IOSPAN_ACCESS_H

#include <stdbool.h>
#include <stdio.h>
#include "user/trace/trace.h"
#include "user/trace/write.h"

struct access {
	struct trace_access at; /* start, end, bytes and so on; at.stream is not used */
	/* values of enum layer, enum op and enum source, as in struct trace_stream */
	u8 layer, op, source;
	/* Names of the access; the caller owns their texts. NULL: the name is unknown. */
	struct trace_name disk, group, process, file;
};

/* Converts @op (enum op) to enum vfs_op. Returns -1 if the app and vfs layers have no such
 * operation. */
int access_call_op(u8 op);

/* Returns true if the layer of @s has its operation and its source. If not, the trace file is
 * faulty, and reports skip the stream. */
bool access_is_countable(const struct trace_stream *s);

/* Initial value of a struct access: no names, and an unknown offset. */
#define ACCESS_NONE \
	{ \
		.at.offset = TRACE_NO_OFFSET \
	}

enum column_type {
	COLUMN_WORD,   /* a u8 that is an index into .words; the cell has the word at this index */
	COLUMN_TEXT,   /* a name (const char *); an empty cell means NULL */
	COLUMN_NUMBER, /* u64, written in decimal */
	COLUMN_OFFSET, /* u64 in decimal; an empty cell means TRACE_NO_OFFSET */
	COLUMN_DEV,    /* device number (u64 major << 20 | minor), such as "254:0"; empty: 0 */
	COLUMN_BOOL,   /* bool, written as 0 or 1 */
	COLUMN_FLAG,   /* the bit struct column.flag of the access's flags, written as 0 or 1 */
};

struct column {
	const char *name;
	enum column_type type;
	size_t at;		  /* offset of the field in struct access, in bytes */
	const char *const *words; /* for COLUMN_WORD: array of words_n words */
	unsigned words_n;
	u32 flag;
};

/* Columns in the order of CSV and JSON, then an element with .name NULL. In the first COLUMNS_OWN
 * columns, all accesses of a stream (see input.h) have the same value. */
extern const struct column columns[];
#define COLUMNS 22
#define COLUMNS_OWN 12

/* Writes the value of column @c of the access @x to @f as a CSV cell. */
void column_write(FILE *f, const struct column *c, const struct access *x);

/* Sets the field of @x for column @c from the CSV cell @text. @x may point into @text, so @text
 * must exist as long as @x. An empty cell changes nothing. Returns NULL if the cell is valid.
 * Otherwise returns a text that describes a valid cell, such as "0 or 1". */
const char *column_read(const struct column *c, struct access *x, char *text);

/* Adds the value of column @c to the JSON object @node, with the column's name as the key. An empty
 * cell becomes null. @c must be one of the first COLUMNS_OWN columns. */
void column_out(struct out *node, const struct column *c, const struct access *x);

/* Writes the value of column @c to @f as JSON, without its key. @c must come after the first
 * COLUMNS_OWN columns. Its value is a number or a flag. */
void column_json(FILE *f, const struct column *c, const struct access *x);

#endif
