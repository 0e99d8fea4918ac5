/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints tables of text in aligned columns, and cells of CSV. No cell is cut. Widths do not depend
 * on the locale, so a report is the same everywhere; for full screens see wide.h. */
#ifndef IOSPAN_BASE_TABLE_H
#define IOSPAN_BASE_TABLE_H

#include "user/base/out.h"

/* Returns an empty table. The first @left columns are aligned at the left, all later columns at the
 * right. The first row that is added is the header. */
struct table *table_new(unsigned left);
void table_free(struct table *t);

void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* adds a cell with a copy of @text, and frees @text */
void table_own_cell(struct table *t, char *text);
void table_end_row(struct table *t);

/* Prints the rows that table_end_row() has ended. Each line starts with @indent. If @f is a
 * terminal that is narrower than the table, prints the table in blocks, one below the other. Each
 * block has the columns that are aligned at the left, and as many other columns as fit. */
void table_text(FILE *f, const struct table *t, const char *indent);

/* Prints one field of CSV. Quotes it as in RFC 4180 if necessary. Harmful characters become
 * escapes, see escape_text(). So a field is always in one line. */
void out_csv_cell(FILE *f, const char *cell);

/* Prints @text, such as a name, within a line. Harmful characters (control.h) become '?'. */
void out_line_text(FILE *f, const char *text);
/* Prints formatted text within a line. Harmful characters become '?'. @fmt must have no newline. */
void out_line_format(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
