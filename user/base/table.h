/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints tables of text in aligned columns, and cells of CSV.
 *
 * Each column is as wide as its widest cell; no cell is cut. Widths count UTF-8 characters and do
 * not depend on the locale, so a report is the same everywhere. A full screen must cut text and
 * needs the width of wide characters; see wide.h for it. */
#ifndef IOSPAN_BASE_TABLE_H
#define IOSPAN_BASE_TABLE_H

#include "user/base/out.h"

/* Returns an empty table. The first @left columns are left-aligned, the others right-aligned. The
 * first row that the caller adds is the header. */
struct table *table_new(unsigned left);
void table_free(struct table *t); /* @t may be NULL */

void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_own_cell(struct table *t, char *text); /* frees @text */
void table_end_row(struct table *t);

/* Prints all rows that table_end_row() has ended, with @indent before each. */
void table_text(FILE *f, const struct table *t, const char *indent);

/* Prints one field of CSV. Quotes it as in RFC 4180 if necessary. Harmful characters become escapes,
 * see escape_text(). So a field is always in one line. */
void out_csv_cell(FILE *f, const char *cell);

/* Prints @text, such as a name, within a line. Each harmful character (control.h) becomes '?'. */
void out_line_text(FILE *f, const char *text);
/* Prints formatted text within a line, in which each harmful character becomes '?'. @fmt must not
 * contain a newline. */
void out_line_format(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
