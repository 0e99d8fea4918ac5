/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads CSV (RFC 4180). The first row, the header, names the columns, in any order.
 *
 *	struct csv	rows that the caller passes line by line
 *	csv_take()	binds the columns to the names of a struct csv_format
 *	struct csv_file	a file with any columns, a row per line */
#ifndef IOSPAN_CSV_H
#define IOSPAN_CSV_H

#include <stdbool.h>
#include <stdio.h>
#include "bpf/types.h"

#define CSV_FORMAT_COLUMNS 256
#define CSV_FILE_COLUMNS 4096
#define CSV_FILE_LINE (1 << 20) /* bytes of a line, with its end */

/* All zero: no header yet. */
struct csv {
	int n;	      /* columns; 0: no header yet */
	char **names; /* names of the columns, in @header */
	char **cells; /* cells of the current row, in the caller's line */
	int *columns; /* csv_take(): number in the format; -1: unknown */
	char *header;
	char error[128]; /* why a function returned CSV_BAD_... */
};

void csv_release(struct csv *csv);

/* Returns the column of that name, or -1. */
int csv_find(const struct csv *csv, const char *name);

/* ---- columns that the caller knows ---- */

struct csv_format {
	const char *(*name)(int column); /* name of column 0, 1, ...; NULL after the last */
	const char *const *wanted;	 /* names of the required columns; ends with NULL */
	/* Sets a field of @row. Returns NULL, or what the cell should be, as in "is not a
	 * number". */
	const char *(*take)(void *row, int column, const char *cell);
};

enum csv_result {
	CSV_ROW = 1,
	CSV_NO_ROW = 0,	     /* the header, or an empty line */
	CSV_BAD_ROW = -1,    /* the caller may skip it */
	CSV_BAD_HEADER = -2, /* no row can be read */
};

/* Reads the next @line, without its end. Sets the fields of @row and changes @line. A byte order
 * mark before the header is skipped. */
enum csv_result csv_take(struct csv *csv, const struct csv_format *format, char *line, void *row);

/* Whether the header has @column of the format. */
bool csv_has(const struct csv *csv, int column);

/* Returns CSV_BAD_HEADER unless the header has exactly one of the columns @a and @b, or is not yet
 * read. */
enum csv_result csv_either(struct csv *csv, const struct csv_format *format, int a, int b);

/* Parse a cell, for csv_format.take(): an integer, or a time in seconds. */
const char *csv_number(const char *cell, u64 *to);
const char *csv_seconds(const char *cell, u64 *ns);

/* ---- a file with any columns ---- */

/* Each function below that returns -errno prints the error with its place. */
struct csv_file {
	struct csv csv;
	const char *path;
	FILE *f;
	u64 line; /* number of the current one */
	char *text;
};

/* Opens @path, "-" for the standard input, and reads the header. Call csv_file_close() in either
 * case. */
int csv_file_open(struct csv_file *c, const char *path);
void csv_file_close(struct csv_file *c);

/* Reads a row, skipping empty lines. Returns 1, 0 at the end, or -errno. */
int csv_file_next(struct csv_file *c);

/* Calls @row for each row until it returns other than 0. Returns that value, 0, or -errno. */
int csv_file_each(struct csv_file *c, int (*row)(struct csv_file *c, void *arg), void *arg);

/* Reads a cell of the current row. An empty one, or "nan", is NaN. Returns 0 or -EINVAL. */
int csv_file_number(const struct csv_file *c, int column, double *v);
/* As above; NaN is an error. */
int csv_file_want_number(const struct csv_file *c, int column, double *v);

/* Returns the column of that name, or -EINVAL. */
int csv_file_want(const struct csv_file *c, const char *name);

/* Reports a fault of the current row. Returns -EINVAL. */
int csv_file_bad(const struct csv_file *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
