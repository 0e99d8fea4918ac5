// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads CSV, as csv.h describes. A cell is one field of a line. */
#include "user/base/csv.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/base/need.h"
#include "user/base/num.h"

static int fault(struct csv *csv, int result, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int fault(struct csv *csv, int result, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(csv->error, sizeof(csv->error), fmt, args);
	va_end(args);
	return result;
}

/* Cuts the first cell off the line *@s, and returns the cell without its quotes. Moves *@s past the
 * comma after the cell, or sets *@s to NULL if the cell is the last of the line. Returns NULL if
 * the quotes are invalid. */
static char *cut_cell(char **s)
{
	char *cell = *s, *to = cell, *from = cell;

	if (*from != '"') {
		from += strcspn(from, ",\"");
		to = from;
		if (*from == '"')
			return NULL;
	} else {
		for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
			from += *from == '"';
			*to++ = *from;
		}
		if (*from++ != '"' || (*from && *from != ','))
			return NULL;
	}
	*s = *from ? from + 1 : NULL;
	*to = '\0';
	return cell;
}

void csv_release(struct csv *csv)
{
	free(csv->names);
	free(csv->cells);
	free(csv->columns);
	free(csv->header);
	*csv = (struct csv){};
}

int csv_find(const struct csv *csv, const char *name)
{
	for (int i = 0; i < csv->n; i++)
		if (!strcmp(csv->names[i], name))
			return i;
	return -1;
}

static int read_header(struct csv *csv, const char *line, int most)
{
	char *rest;

	if (!strncmp(line, "\xef\xbb\xbf", 3)) /* skip a byte order mark in UTF-8 */
		line += 3;
	rest = csv->header = need(strdup(line));
	csv->names = need(calloc(most, sizeof(*csv->names)));
	for (; rest; csv->n++) {
		if (csv->n == most)
			return fault(csv, CSV_BAD_HEADER, "more than %d columns", most);
		csv->names[csv->n] = cut_cell(&rest);
		if (!csv->names[csv->n])
			return fault(csv, CSV_BAD_HEADER, "wrong quotes in the header");
	}
	csv->cells = need(calloc(csv->n, sizeof(*csv->cells)));
	return 0;
}

/* Splits @line into csv->cells. If @line has more cells than the header, does not store the
 * additional cells. Returns the number of cells in @line, or CSV_BAD_ROW. */
static int read_cells(struct csv *csv, char *line)
{
	int n = 0;

	while (line) {
		char *cell = cut_cell(&line);

		if (!cell)
			return fault(csv, CSV_BAD_ROW, "wrong quotes in cell %d", n + 1);
		if (n < csv->n)
			csv->cells[n] = cell;
		n++;
	}
	return n;
}

static int format_column(const struct csv_format *format, const char *name)
{
	int c = 0;

	while (format->name(c) && strcmp(format->name(c), name))
		c++;
	return format->name(c) ? c : -1;
}

bool csv_has(const struct csv *csv, int column)
{
	for (int i = 0; i < csv->n; i++)
		if (csv->columns[i] == column)
			return true;
	return false;
}

static int bind_header(struct csv *csv, const struct csv_format *format)
{
	csv->columns = need(malloc(csv->n * sizeof(*csv->columns)));
	for (int i = 0; i < csv->n; i++)
		csv->columns[i] = -1;
	for (int i = 0; i < csv->n; i++) {
		int column = format_column(format, csv->names[i]);

		if (column >= 0 && csv_has(csv, column))
			return fault(csv, CSV_BAD_HEADER, "column '%s' is there twice",
				     csv->names[i]);
		csv->columns[i] = column;
	}
	for (const char *const *name = format->wanted; *name; name++)
		if (csv_find(csv, *name) < 0)
			return fault(csv, CSV_BAD_HEADER, "the header names no column '%s'", *name);
	return CSV_NO_ROW;
}

static int take_row(struct csv *csv, const struct csv_format *format, char *line, void *row)
{
	int n = read_cells(csv, line);

	for (int i = 0; i < n && i < csv->n; i++) {
		const char *expected = NULL;

		if (csv->columns[i] >= 0)
			expected = format->take(row, csv->columns[i], csv->cells[i]);
		if (expected)
			return fault(csv, CSV_BAD_ROW, "%s '%.40s' is not %s", csv->names[i],
				     csv->cells[i], expected);
	}
	if (n >= 0 && n < csv->n)
		return fault(csv, CSV_BAD_ROW, "the line ends too early in cell %d", n + 1);
	if (n > csv->n)
		return fault(csv, CSV_BAD_ROW, "more cells than the header's %d", csv->n);
	return n < 0 ? n : CSV_ROW;
}

enum csv_result csv_take(struct csv *csv, const struct csv_format *format, char *line, void *row)
{
	if (!*line)
		return CSV_NO_ROW;
	if (csv->n)
		return take_row(csv, format, line, row);
	return read_header(csv, line, CSV_FORMAT_COLUMNS) ?: bind_header(csv, format);
}

enum csv_result csv_either(struct csv *csv, const struct csv_format *format, int a, int b)
{
	if (!csv->n || csv_has(csv, a) != csv_has(csv, b))
		return CSV_NO_ROW;
	return fault(csv, CSV_BAD_HEADER, "the header must name one of the columns '%s' and '%s'",
		     format->name(a), format->name(b));
}

const char *csv_number(const char *cell, u64 *to)
{
	return num_uint(cell, to) ? "a whole number below 2^64" : NULL;
}

const char *csv_seconds(const char *cell, u64 *ns)
{
	double s;

	if (num_real(cell, &s) || s * 1e9 >= 0x1p63 || strchr(cell, '%'))
		return "a number of seconds";
	*ns = llround(s * 1e9);
	return NULL;
}

int csv_file_bad(const struct csv_file *c, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = need_vtext(fmt, args);
	va_end(args);
	error(-EINVAL, "'%s' line %llu: %s", c->path, (unsigned long long)c->line, text);
	free(text);
	return -EINVAL;
}

/* Reads the next line that is not empty into c->text. Returns 1, 0 at the end, or -errno. */
static int read_file_line(struct csv_file *c)
{
	size_t len;

	do {
		c->line++;
		if (!fgets(c->text, CSV_FILE_LINE, c->f))
			return ferror(c->f) ?
				error(-errno, "cannot read '%s': %s", c->path, strerror(errno)) :
				0;
		len = strlen(c->text);
		if (len == CSV_FILE_LINE - 1)
			return csv_file_bad(c, "it is longer than %d bytes, or has a NUL",
					    CSV_FILE_LINE);
		if (len && c->text[len - 1] == '\n')
			c->text[--len] = '\0';
		else if (!feof(c->f))
			return csv_file_bad(c, "there is a NUL in it");
		if (len && c->text[len - 1] == '\r')
			c->text[--len] = '\0';
	} while (!len);
	return 1;
}

static int read_file_header(struct csv_file *c)
{
	int ret = read_file_line(c);

	if (ret < 0)
		return ret;
	if (!ret)
		return error(-EINVAL,
			     "'%s' is empty: a line with the names of its columns is missing",
			     c->path);
	if (read_header(&c->csv, c->text, CSV_FILE_COLUMNS))
		return csv_file_bad(c, "%s", c->csv.error);
	for (int i = 0; i < c->csv.n; i++)
		if (csv_find(&c->csv, c->csv.names[i]) < i)
			return csv_file_bad(c, "column '%.40s' is there twice", c->csv.names[i]);
	return 0;
}

int csv_file_open(struct csv_file *c, const char *path)
{
	*c = (struct csv_file){ .path = path, .text = need(malloc(CSV_FILE_LINE)) };
	if (strcmp(path, "-"))
		c->f = infile_open(path);
	else if (!infile_check(STDIN_FILENO, path))
		c->f = stdin;
	return c->f ? read_file_header(c) : -EINVAL;
}

void csv_file_close(struct csv_file *c)
{
	if (c->f && c->f != stdin)
		fclose(c->f);
	csv_release(&c->csv);
	free(c->text);
}

/* Reads the next row that is not empty. Returns 1 for a row, 0 at the end of the file, or
 * -errno. */
static int next_row(struct csv_file *c)
{
	int ret = read_file_line(c), n;

	if (ret <= 0)
		return ret;
	n = read_cells(&c->csv, c->text);
	if (n < 0)
		return csv_file_bad(c, "%s", c->csv.error);
	if (n != c->csv.n)
		return csv_file_bad(c, "%d cells, where there are %d columns", n, c->csv.n);
	return 1;
}

int csv_file_each(struct csv_file *c, int (*row)(struct csv_file *c, void *arg), void *arg)
{
	int ret;

	while ((ret = next_row(c)) > 0) {
		ret = row(c, arg);
		if (ret)
			return ret;
	}
	return ret;
}

int csv_file_number(const struct csv_file *c, int column, double *v)
{
	const char *text = c->csv.cells[column];
	char *end;

	*v = NAN;
	if (!*text)
		return 0;
	*v = strtod(text, &end);
	if (end == text || *end || isinf(*v))
		return csv_file_bad(c, "%s '%.40s' is no number", c->csv.names[column], text);
	return 0;
}

int csv_file_want_number(const struct csv_file *c, int column, double *v)
{
	int ret = csv_file_number(c, column, v);

	if (!ret && isnan(*v))
		ret = csv_file_bad(c, "%s is missing", c->csv.names[column]);
	return ret;
}

int csv_file_want(const struct csv_file *c, const char *name)
{
	int column = csv_find(&c->csv, name);

	return column >= 0 ? column : error(-EINVAL, "'%s' has no column '%s'", c->path, name);
}
