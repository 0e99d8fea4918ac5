/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CSV whose first line names its columns, in any order: RFC 4180. */
#ifndef IOSPAN_CSV_H
#define IOSPAN_CSV_H

#include "tools/import/import.h"

#define CSV_CELLS 256

struct csv_format {
	const char *(*name)(int column); /* from 0 on; NULL: there are no more */
	const char *const *wanted;	 /* columns that must be there; NULL-ended */
	/* Takes a cell into @row. NULL, or what it should have been. */
	const char *(*take)(void *row, int column, const char *cell);
};

/* Zeroes are one whose header is yet to come. */
struct csv {
	int columns[CSV_CELLS]; /* of the cells; -1: not ours */
	unsigned n;
};

/* A line of @im: the header, which is 0, or a row: 1 when it is in @row. What is wrong is
 * as import_bad() and import_refuse() have it. An empty line is 0. */
int csv_take(struct import *im, struct csv *csv, const struct csv_format *format, char *text,
	     void *row);

bool csv_has(const struct csv *csv, int column);

/* Behind the header: it must have one of the two. As import_refuse() has it; no header is 0. */
int csv_either(struct import *im, const struct csv *csv, const struct csv_format *format, int a,
	       int b);

/* What ->take() takes often: a whole number, and a time in seconds. */
const char *csv_number(const char *cell, u64 *to);
const char *csv_seconds(const char *cell, u64 *ns);

/* Ends the first cell of *@s there and takes its quotes away. *@s: the next one, or NULL.
 * NULL: the quotes are wrong. */
char *csv_cell(char **s);

#endif
