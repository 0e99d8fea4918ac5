/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads CSV (RFC 4180). The first line is a header with the names of the columns, in any order.
 * There are two readers. csv_take() parses lines from the caller, and expects the columns of a
 * struct csv_format. struct csv_file reads a file with any columns. */
#ifndef IOSPAN_CSV_H
#define IOSPAN_CSV_H

#include <stdbool.h>
#include <stdio.h>
#include "bpf/types.h"

#define CSV_FORMAT_COLUMNS 256
#define CSV_FILE_COLUMNS 4096
#define CSV_FILE_LINE (1 << 20) /* longest line in bytes, with its line end */

/* A parser of CSV. If all fields are zero, it has not read the header yet. */
struct csv {
	int n;	      /* number of columns; 0: the header is not read yet */
	char **names; /* names of the columns; they point into .header */
	/* cells of the current row; they point into the caller's line */
	char **cells;
	/* columns[i]: number that column i of the header has in struct csv_format; -1: the format
	 * has no such column */
	int *columns;
	char *header;
	char error[128]; /* message, set when a function returns CSV_BAD_ROW or CSV_BAD_HEADER */
};

void csv_release(struct csv *csv);

/* Returns the index of the column @name in the header, from 0; -1: there is no such column. */
int csv_find(const struct csv *csv, const char *name);

struct csv_format {
	/* returns the name of column @column (0, 1, 2, ...); NULL: there is no such column */
	const char *(*name)(int column);
	/* names of the columns that the header must have; ends with NULL */
	const char *const *wanted;
	/* Converts @cell, stores it in a field of @row, and returns NULL. If @cell is invalid,
	 * returns the end of the error message: "a number of seconds" gives "'x' is not a number of
	 * seconds". */
	const char *(*take)(void *row, int column, const char *cell);
};

enum csv_result {
	CSV_ROW = 1,
	CSV_NO_ROW = 0,	     /* the line was the header or empty */
	CSV_BAD_ROW = -1,    /* the row is invalid, but the caller may read the next row */
	CSV_BAD_HEADER = -2, /* the header is invalid, so no row can be read */
};

/* Parses @line, which must have no line end. Overwrites @line. The first line that is not empty is
 * the header. For each later line, calls format->take() to set the fields of @row. */
enum csv_result csv_take(struct csv *csv, const struct csv_format *format, char *line, void *row);

/* Returns true if the header has the column with number @column in struct csv_format. */
bool csv_has(const struct csv *csv, int column);

/* Returns CSV_BAD_HEADER if the header has both columns @a and @b of @format, or neither of them.
 * Returns CSV_NO_ROW if it has exactly one, or if the header is not read yet. */
enum csv_result csv_either(struct csv *csv, const struct csv_format *format, int a, int b);

/* Helpers for csv_format.take(). csv_number() converts @cell to an integer. csv_seconds() converts
 * @cell from seconds to ns. Both return NULL or, if @cell is invalid, a noun for the error message,
 * such as "a number of seconds". */
const char *csv_number(const char *cell, u64 *to);
const char *csv_seconds(const char *cell, u64 *ns);

/* An open CSV file. If a function below returns -errno, it has printed an error with the path and
 * the line number. */
struct csv_file {
	struct csv csv;
	const char *path;
	FILE *f;
	u64 line; /* number of the current line, from 1 */
	char *text;
};

/* Opens @path ("-": stdin) and reads the header. csv_file_close() is needed even after an error. */
int csv_file_open(struct csv_file *c, const char *path);
void csv_file_close(struct csv_file *c);

/* Calls @row for each row of the file that is not empty, until @row returns a value other than 0.
 * Returns this value, 0 at the end of the file, or -errno if a row cannot be read. */
int csv_file_each(struct csv_file *c, int (*row)(struct csv_file *c, void *arg), void *arg);

/* Reads the cell of the current row in @column as a number. Sets *@v to NaN if the cell is empty or
 * "nan". Returns 0 or -EINVAL. */
int csv_file_number(const struct csv_file *c, int column, double *v);
/* Like csv_file_number(), but a cell that is empty or "nan" is an error. */
int csv_file_want_number(const struct csv_file *c, int column, double *v);

/* Returns the index of the column @name in the header. If the header has no such column, prints an
 * error and returns -EINVAL. */
int csv_file_want(const struct csv_file *c, const char *name);

/* Prints an error with path and line of the current row. Returns -EINVAL. */
int csv_file_bad(const struct csv_file *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
