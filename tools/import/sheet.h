/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CSV (RFC 4180) with any columns, which the first line names; each row is one line. */
#ifndef IOSPAN_SHEET_H
#define IOSPAN_SHEET_H

#include <stdio.h>
#include "bpf/types.h"

#define SHEET_LINE (1 << 20) /* bytes of a line, with its end */
#define SHEET_CELLS 4096

struct sheet {
	const char *path;
	FILE *f;
	u64 line;
	char *text, *titles;	  /* the line, and the first one; both cut into cells */
	char *names[SHEET_CELLS]; /* of the columns, */
	char *cells[SHEET_CELLS]; /* and of the current row */
	int n;
};

/* Opens @path, "-" for the standard input, and reads the names. -errno, printed; it is to be
 * closed even so. */
int sheet_open(struct sheet *c, const char *path);
void sheet_close(struct sheet *c);

/* 1: another row; 0: no more; -errno, printed with its place. Lines with nothing are none. */
int sheet_next(struct sheet *c);

/* The column of that name; -1: there is none. */
int sheet_find(const struct sheet *c, const char *name);

/* The cell of the current row; an empty one, or "nan", is a NaN. -EINVAL, printed. */
int sheet_number(const struct sheet *c, int column, double *v);

/* The same of what has to be there: -EINVAL, printed, if it is not. */
int sheet_want(const struct sheet *c, const char *name);
int sheet_want_number(const struct sheet *c, int column, double *v);

/* Calls @row for each row, until it is not 0; what that was. */
int sheet_each(struct sheet *c, int (*row)(struct sheet *c, void *arg), void *arg);

/* The current row is wrong: -EINVAL, printed with its place. */
int sheet_bad(const struct sheet *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
