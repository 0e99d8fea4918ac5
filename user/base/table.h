/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of text: in aligned columns for people, or as CSV.
 *
 * Columns are as wide as their widest cell, and no cell is cut. Widths count UTF-8 characters and
 * need no locale, so a report is the same everywhere. For a screen, where text must be cut and wide
 * characters matter, see wide.h. */
#ifndef IOSPAN_BASE_TABLE_H
#define IOSPAN_BASE_TABLE_H

#include "user/base/out.h"

/* Returns an empty table. The first @left columns are left-aligned, the others right-aligned. The
 * first row is the header. */
struct table *table_new(unsigned left);
/* Does the same and adds the header @titles, which end with NULL. */
struct table *table_titled(unsigned left, const char *const *titles);
void table_free(struct table *t); /* NULL is fine */

void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_per_cent(struct table *t, double fraction); /* "12.3 %"; NaN: "-" */
void table_end_row(struct table *t);

/* Print all rows that were ended. In text, @indent stands before each row. */
void table_text(FILE *f, const struct table *t, const char *indent);
void table_csv(FILE *f, const struct table *t);

/* Prints one field of CSV, quoted as in RFC 4180 if necessary. */
void out_csv_cell(FILE *f, const char *cell);

/* Prints a name within a line: each harmful character becomes '?', see control.h. */
void out_line_text(FILE *f, const char *text);
/* Prints a part of a line with names in the same way. @fmt has no newline. */
void out_line_format(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
