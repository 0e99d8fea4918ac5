// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "user/base/control.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/out.h"
#include "user/base/table.h"

struct table_row {
	char **cells;
	unsigned cells_nr;
};

struct table {
	unsigned left;
	struct table_row *rows; /* the last row is being filled */
	unsigned rows_nr;
};

static void start_row(struct table *t)
{
	t->rows = need(reallocarray(t->rows, t->rows_nr + 1, sizeof(*t->rows)));
	t->rows[t->rows_nr++] = (struct table_row){ NULL, 0 };
}

struct table *table_new(unsigned left)
{
	struct table *t = need(calloc(1, sizeof(*t)));

	t->left = left;
	start_row(t);
	return t;
}

void table_cell(struct table *t, const char *fmt, ...)
{
	struct table_row *row = &t->rows[t->rows_nr - 1];
	va_list args;

	row->cells = need(reallocarray(row->cells, row->cells_nr + 1, sizeof(*row->cells)));
	va_start(args, fmt);
	row->cells[row->cells_nr++] = need_vtext(fmt, args);
	va_end(args);
}

void table_end_row(struct table *t)
{
	start_row(t);
}

/* Returns the number of characters that out_line_text() prints for @cell. */
static unsigned width(const char *cell)
{
	unsigned n = 0;

	for (; *cell; n++)
		cell += harmful_bytes(cell) ?: utf8_length(cell);
	return n;
}

static unsigned column_width(const struct table *t, unsigned i)
{
	unsigned widest = 0;

	for (unsigned l = 0; l < t->rows_nr; l++) {
		const struct table_row *row = &t->rows[l];

		if (i < row->cells_nr && width(row->cells[i]) > widest)
			widest = width(row->cells[i]);
	}
	return widest;
}

void out_line_text(FILE *f, const char *text)
{
	while (*text) {
		int n = harmful_bytes(text), length = n ?: utf8_length(text);

		fwrite(n ? "?" : text, 1, n ? 1 : length, f);
		text += length;
	}
}

void out_line_format(FILE *f, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = need_vtext(fmt, args);
	va_end(args);
	out_line_text(f, text);
	free(text);
}

static void print_row(FILE *f, const struct table *t, const struct table_row *row,
		      const unsigned *widths)
{
	unsigned n = row->cells_nr;

	while (n && !*row->cells[n - 1])
		n--;
	for (unsigned i = 0; i < n; i++) {
		int pad = widths[i] - width(row->cells[i]);

		if (i)
			fputs("  ", f);
		if (i >= t->left)
			fprintf(f, "%*s", pad, "");
		out_line_text(f, row->cells[i]);
		if (i < t->left && i + 1 < n)
			fprintf(f, "%*s", pad, "");
	}
	fputc('\n', f);
}

void table_text(FILE *f, const struct table *t, const char *indent)
{
	unsigned columns = 0, *widths;

	for (unsigned l = 0; l < t->rows_nr; l++)
		if (t->rows[l].cells_nr > columns)
			columns = t->rows[l].cells_nr;
	widths = need(calloc(columns + 1, sizeof(*widths)));
	for (unsigned i = 0; i < columns; i++)
		widths[i] = column_width(t, i);
	for (unsigned l = 0; l + 1 < t->rows_nr; l++) {
		fputs(indent, f);
		print_row(f, t, &t->rows[l], widths);
	}
	free(widths);
}

void out_csv_cell(FILE *f, const char *cell)
{
	if (!strpbrk(cell, ",\"\r\n")) {
		fputs(cell, f);
		return;
	}
	fputc('"', f);
	for (; *cell; cell++) {
		if (*cell == '"')
			fputc('"', f);
		fputc(*cell, f);
	}
	fputc('"', f);
}

/* Rows end with LF, not with CR LF as in RFC 4180. Readers of CSV accept both, but cut and awk
 * would keep the CR in the last field. */
void table_csv(FILE *f, const struct table *t)
{
	for (unsigned l = 0; l + 1 < t->rows_nr; l++) {
		const struct table_row *row = &t->rows[l];

		for (unsigned i = 0; i < row->cells_nr; i++) {
			if (i)
				fputc(',', f);
			out_csv_cell(f, row->cells[i]);
		}
		fputc('\n', f);
	}
}

void table_free(struct table *t)
{
	if (!t)
		return;
	for (unsigned l = 0; l < t->rows_nr; l++) {
		for (unsigned i = 0; i < t->rows[l].cells_nr; i++)
			free(t->rows[l].cells[i]);
		free(t->rows[l].cells);
	}
	free(t->rows);
	free(t);
}
