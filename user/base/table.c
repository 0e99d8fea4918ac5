// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints tables of text. Cells are kept in memory until all are known, because the longest cell of
 * a column decides its width. */
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "user/base/control.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/out.h"
#include "user/base/table.h"

struct table {
	unsigned left;
	char *text; /* the cells, each with a NUL at its end */
	size_t size, room;
	unsigned *cells; /* cells[i]: number of cells of row i; the last row is not complete yet */
	unsigned rows_nr, rows_room;
	unsigned *widths;
	unsigned columns;
};

static void start_row(struct table *t)
{
	if (t->rows_nr == t->rows_room) {
		t->rows_room = 2 * t->rows_room + 8;
		t->cells = need(reallocarray(t->cells, t->rows_room, sizeof(*t->cells)));
	}
	t->cells[t->rows_nr++] = 0;
}

struct table *table_new(unsigned left)
{
	struct table *t = need(calloc(1, sizeof(*t)));

	t->left = left;
	start_row(t);
	return t;
}

/* Returns the number of characters that out_line_text() prints for @cell. */
static unsigned width(const char *cell)
{
	unsigned n = 0;

	for (; *cell; n++)
		cell += harmful_bytes(cell) ?: utf8_length(cell);
	return n;
}

static void add_width(struct table *t, unsigned column, unsigned width)
{
	if (column == t->columns) {
		t->widths = need(reallocarray(t->widths, ++t->columns, sizeof(*t->widths)));
		t->widths[column] = 0;
	}
	if (width > t->widths[column])
		t->widths[column] = width;
}

void table_own_cell(struct table *t, char *text)
{
	size_t size = strlen(text) + 1;

	if (t->room - t->size < size) {
		t->room = 2 * t->room + size;
		t->text = need(realloc(t->text, t->room));
	}
	memcpy(t->text + t->size, text, size);
	t->size += size;
	add_width(t, t->cells[t->rows_nr - 1]++, width(text));
	free(text);
}

void table_cell(struct table *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	table_own_cell(t, need_vtext(fmt, args));
	va_end(args);
}

void table_end_row(struct table *t)
{
	start_row(t);
}

void out_line_text(FILE *f, const char *text)
{
	const char *end = text;

	while (*end) {
		int n = harmful_bytes(end);

		if (!n) {
			end += utf8_length(end);
			continue;
		}
		fwrite(text, 1, end - text, f);
		fputc('?', f);
		text = end += n;
	}
	fwrite(text, 1, end - text, f);
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

/* The columns of one block of a table. If a table is wider than the terminal, it is printed in
 * several blocks, one below the other. Each block has the left columns (see table_new()), and the
 * columns .from to .to - 1. */
struct column_range {
	unsigned from, to;
};

/* Returns the width of the terminal @f, or INT_MAX if @f is no terminal. */
static unsigned terminal_width(FILE *f)
{
	struct winsize size;
	int fd = fileno(f);

	return fd < 0 || ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col ? INT_MAX : size.ws_col;
}

/* Returns the range that starts at column @from, with as many columns as fit into @room characters.
 * The range has column @from even if this column does not fit. */
static struct column_range range_from(const struct table *t, unsigned from, unsigned room)
{
	struct column_range r = { from, from };
	unsigned used = 0;

	for (unsigned i = 0; i < t->left && i < t->columns; i++)
		used += t->widths[i] + 2;
	while (r.to < t->columns && (r.to == from || used + t->widths[r.to] <= room))
		used += t->widths[r.to++] + 2;
	return r;
}

static bool has_column(const struct table *t, const struct column_range *r, unsigned column)
{
	return column < t->left || (column >= r->from && column < r->to);
}

/* Returns the number of cells in a row up to the last one that is not empty. Treats cells outside
 * of the range @r as empty. @cell is the first of the @n cells of the row. */
static unsigned filled(const struct table *t, const struct column_range *r, const char *cell,
		       unsigned n)
{
	unsigned last = 0;

	for (unsigned i = 0; i < n; i++, cell += strlen(cell) + 1)
		last = *cell && has_column(t, r, i) ? i + 1 : last;
	return last;
}

/* Prints the cells of a row that are in the range @r. @cell is the first of the @n cells of the
 * row. Returns the first cell of the next row. */
static const char *print_row(FILE *f, const struct table *t, const struct column_range *r,
			     const char *cell, unsigned n)
{
	unsigned shown = filled(t, r, cell, n);

	for (unsigned i = 0; i < n; i++, cell += strlen(cell) + 1) {
		int pad = t->widths[i] - width(cell);

		if (i >= shown || !has_column(t, r, i))
			continue;
		if (t->left ? i : i > r->from)
			fputs("  ", f);
		if (i >= t->left)
			fprintf(f, "%*s", pad, "");
		out_line_text(f, cell);
		if (i < t->left && i + 1 < shown)
			fprintf(f, "%*s", pad, "");
	}
	fputc('\n', f);
	return cell;
}

static void print_range(FILE *f, const struct table *t, const struct column_range *r,
			const char *indent)
{
	const char *cell = t->text;

	for (unsigned l = 0; l + 1 < t->rows_nr; l++) {
		fputs(indent, f);
		cell = print_row(f, t, r, cell, t->cells[l]);
	}
}

void table_text(FILE *f, const struct table *t, const char *indent)
{
	unsigned room = terminal_width(f), taken = strlen(indent);
	struct column_range r = { .to = t->left };

	do {
		if (r.to > t->left)
			fputc('\n', f);
		r = range_from(t, r.to, room > taken ? room - taken : 1);
		print_range(f, t, &r, indent);
	} while (r.to < t->columns);
}

void out_csv_cell(FILE *f, const char *cell)
{
	char *text;

	if (!strpbrk(cell, ",\"")) {
		escape_text(f, cell);
		return;
	}
	text = need(strdup(cell));
	fputc('"', f);
	for (char *part = text, *next; part; part = next) {
		next = strchr(part, '"');
		if (next)
			*next++ = '\0';
		escape_text(f, part);
		if (next)
			fputs("\"\"", f);
	}
	fputc('"', f);
	free(text);
}

void table_free(struct table *t)
{
	if (!t)
		return;
	free(t->text);
	free(t->cells);
	free(t->widths);
	free(t);
}
