/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access with the names it has: what importers give and exporters take, and the
 * columns in which it is written as text. */
#ifndef IOSPAN_ACCESS_H
#define IOSPAN_ACCESS_H

#include <stdbool.h>
#include <stdio.h>
#include "user/trace/trace.h"
#include "user/trace/write.h"

struct access {
	struct trace_access at; /* its stream is the trace's own matter */
	u8 layer, op, source;	/* as in struct trace_stream */
	/* Without text: none, or not known. The texts are the caller's. */
	struct trace_name disk, group, process, file;
};

/* The operation as enum vfs_op, for a layer above the device; -1: there is none. */
int access_call_op(u8 op);

/* Whether iospan counts accesses of @s: its layer has such an operation and source. */
bool access_is_countable(const struct trace_stream *s);

/* A read at the app layer, of nobody and nothing. */
#define ACCESS_NONE \
	{ \
		.at.offset = TRACE_NO_OFFSET \
	}

enum column_type {
	COLUMN_WORD,   /* u8: one of @words */
	COLUMN_TEXT,   /* const char *, NULL: empty */
	COLUMN_NUMBER, /* u64 */
	COLUMN_OFFSET, /* u64; TRACE_NO_OFFSET: empty */
	COLUMN_DEV,    /* u64 major << 20 | minor: "254:0"; 0: empty */
	COLUMN_BOOL,   /* bool: 0 or 1 */
	COLUMN_FLAG,   /* @flag of at.flags: 0 or 1 */
};

struct column {
	const char *name;
	enum column_type type;
	size_t at;		  /* in struct access */
	const char *const *words; /* @words_n of them */
	unsigned words_n;
	u32 flag;
};

/* All columns, the end has no name. Those from COLUMNS_OWN on are the access's own, the
 * others are the same for all of a stream. */
extern const struct column columns[];
#define COLUMNS 22
#define COLUMNS_OWN 12

/* Writes the cell of @x as CSV. */
void column_write(FILE *f, const struct column *c, const struct access *x);

/* Takes the cell @text, which lives as long as @x. NULL, or what it should have been. An
 * empty one leaves @x as it is. */
const char *column_read(const struct column *c, struct access *x, const char *text);

/* Sets the column's key in @node, null where the cell would be empty. */
void column_out(struct out *node, const struct column *c, const struct access *x);

/* Writes the value as JSON; no column of names. */
void column_json(FILE *f, const struct column *c, const struct access *x);

#endif
