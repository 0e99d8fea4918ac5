/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BASE_TABLE_H
#define IOSPAN_BASE_TABLE_H

#include "user/base/out.h"

struct table *table_new(unsigned left);
/* One that has its header; @titles end with NULL. */
struct table *table_titled(unsigned left, const char *const *titles);
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_per_cent(struct table *t, double share); /* "-" for NaN */
void table_end_row(struct table *t);
void table_text(FILE *f, const struct table *t, const char *indent);
void table_csv(FILE *f, const struct table *t); /* RFC 4180 quoting */
void out_csv_cell(FILE *f, const char *cell);	/* the same, of what is no table */
void table_free(struct table *t);

/* A name as a part of a line: whatever is in it, it moves no cursor. */
void out_line_text(FILE *f, const char *text);

#endif
