// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "user/base/control.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/out.h"
#include "user/base/table.h"

struct line {
	char **cells;
	unsigned cells_nr;
};

struct table {
	unsigned left;
	struct line *lines; /* the last one is still being filled */
	unsigned lines_nr;
};

static void add_line(struct table *t)
{
	t->lines = need(reallocarray(t->lines, t->lines_nr + 1, sizeof(*t->lines)));
	t->lines[t->lines_nr++] = (struct line){ NULL, 0 };
}

struct table *table_new(unsigned left)
{
	struct table *t = need(calloc(1, sizeof(*t)));

	t->left = left;
	add_line(t);
	return t;
}

void table_cell(struct table *t, const char *fmt, ...)
{
	struct line *line = &t->lines[t->lines_nr - 1];
	va_list args;

	line->cells = need(reallocarray(line->cells, line->cells_nr + 1, sizeof(*line->cells)));
	va_start(args, fmt);
	line->cells[line->cells_nr++] = need_vtext(fmt, args);
	va_end(args);
}

void table_per_cent(struct table *t, double share)
{
	if (isnan(share))
		table_cell(t, "-");
	else
		table_cell(t, "%.1f %%", share * 100);
}

void table_end_row(struct table *t)
{
	add_line(t);
}

struct table *table_titled(unsigned left, const char *const *titles)
{
	struct table *t = table_new(left);

	for (; *titles; titles++)
		table_cell(t, "%s", *titles);
	table_end_row(t);
	return t;
}

/* Columns that @cell takes on a terminal, as far as one can tell without a
 * locale: bytes, but for those that continue a UTF-8 character. */
static unsigned width(const char *cell)
{
	unsigned n = 0;

	for (; *cell; cell++)
		n += (*cell & 0xc0) != 0x80;
	return n;
}

/* The widest cell of column @i. */
static unsigned column_width(const struct table *t, unsigned i)
{
	unsigned widest = 0;

	for (unsigned l = 0; l < t->lines_nr; l++) {
		const struct line *line = &t->lines[l];

		if (i < line->cells_nr && width(line->cells[i]) > widest)
			widest = width(line->cells[i]);
	}
	return widest;
}

void out_line_text(FILE *f, const char *text)
{
	for (; *text; text++) {
		int n = control_bytes(text);

		fputc(n ? '?' : *text, f);
		text += n > 1;
	}
}

static void print_line(FILE *f, const struct table *t, const struct line *line,
		       const unsigned *widths)
{
	for (unsigned i = 0; i < line->cells_nr; i++) {
		int pad = widths[i] - width(line->cells[i]);

		if (i)
			fputs("  ", f);
		if (i >= t->left)
			fprintf(f, "%*s", pad, "");
		out_line_text(f, line->cells[i]);
		if (i < t->left && i + 1 < line->cells_nr)
			fprintf(f, "%*s", pad, "");
	}
	fputc('\n', f);
}

void table_text(FILE *f, const struct table *t, const char *indent)
{
	unsigned columns = 0, *widths;

	for (unsigned l = 0; l < t->lines_nr; l++)
		if (t->lines[l].cells_nr > columns)
			columns = t->lines[l].cells_nr;
	widths = need(calloc(columns + 1, sizeof(*widths)));
	for (unsigned i = 0; i < columns; i++)
		widths[i] = column_width(t, i);
	for (unsigned l = 0; l + 1 < t->lines_nr; l++) {
		fputs(indent, f);
		print_line(f, t, &t->lines[l], widths);
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

/* The lines end as lines do here, not in RFC 4180's CR LF: whoever reads CSV
 * takes both, and cut and awk would keep the CR in the last field. */
void table_csv(FILE *f, const struct table *t)
{
	for (unsigned l = 0; l + 1 < t->lines_nr; l++) {
		const struct line *line = &t->lines[l];

		for (unsigned i = 0; i < line->cells_nr; i++) {
			if (i)
				fputc(',', f);
			out_csv_cell(f, line->cells[i]);
		}
		fputc('\n', f);
	}
}

void table_free(struct table *t)
{
	if (!t)
		return;
	for (unsigned l = 0; l < t->lines_nr; l++) {
		for (unsigned i = 0; i < t->lines[l].cells_nr; i++)
			free(t->lines[l].cells[i]);
		free(t->lines[l].cells);
	}
	free(t->lines);
	free(t);
}
