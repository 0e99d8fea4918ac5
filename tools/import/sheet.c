// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/import/sheet.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/infile.h"
#include "tools/import/csv.h"

int sheet_bad(const struct sheet *c, const char *fmt, ...)
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

/* 1: a line that is not empty, without its end; 0: the end; -errno, printed. */
static int next_line(struct sheet *c)
{
	size_t len;

	do {
		c->line++;
		if (!fgets(c->text, SHEET_LINE, c->f))
			return ferror(c->f) ? error(-EIO, "cannot read '%s'", c->path) : 0;
		len = strlen(c->text);
		if (len == SHEET_LINE - 1)
			return sheet_bad(c, "it is longer than %d bytes, or has a NUL", SHEET_LINE);
		if (len && c->text[len - 1] == '\n')
			c->text[--len] = '\0';
		else if (!feof(c->f))
			return sheet_bad(c, "there is a NUL in it");
		if (len && c->text[len - 1] == '\r')
			c->text[--len] = '\0';
	} while (!len);
	return 1;
}

/* How many; -errno, printed. */
static int take_cells(struct sheet *c, char **cells, char *text)
{
	int n = 0;

	while (text) {
		if (n == SHEET_CELLS)
			return sheet_bad(c, "more than %d columns", SHEET_CELLS);
		cells[n] = csv_cell(&text);
		if (!cells[n++])
			return sheet_bad(c, "wrong quotes in cell %d", n);
	}
	return n;
}

static int take_names(struct sheet *c)
{
	int ret = next_line(c), n;

	if (ret <= 0)
		return ret ?:
			     error(-EINVAL,
				   "'%s' is empty: a line with the names of its columns "
					"is missing",
				   c->path);
	c->titles = need(strdup(c->text));
	n = take_cells(c, c->names, c->titles);
	if (n < 0)
		return n;
	for (c->n = 0; c->n < n; c->n++)
		if (sheet_find(c, c->names[c->n]) >= 0)
			return sheet_bad(c, "column '%.40s' is there twice", c->names[c->n]);
	return 0;
}

int sheet_open(struct sheet *c, const char *path)
{
	*c = (struct sheet){ .path = path, .text = need(malloc(SHEET_LINE)) };
	if (strcmp(path, "-"))
		c->f = infile_open(path);
	else if (!infile_check(STDIN_FILENO, path))
		c->f = stdin;
	return c->f ? take_names(c) : -EINVAL;
}

void sheet_close(struct sheet *c)
{
	if (c->f && c->f != stdin)
		fclose(c->f);
	free(c->text);
	free(c->titles);
}

int sheet_next(struct sheet *c)
{
	int ret = next_line(c), n;

	if (ret <= 0)
		return ret;
	n = take_cells(c, c->cells, c->text);
	if (n >= 0 && n != c->n)
		return sheet_bad(c, "%d cells, where there are %d columns", n, c->n);
	return n < 0 ? n : 1;
}

int sheet_find(const struct sheet *c, const char *name)
{
	for (int i = 0; i < c->n; i++)
		if (!strcmp(c->names[i], name))
			return i;
	return -1;
}

int sheet_number(const struct sheet *c, int column, double *v)
{
	const char *text = c->cells[column];
	char *end;

	*v = NAN;
	if (!*text)
		return 0;
	*v = strtod(text, &end);
	if (end == text || *end || isinf(*v))
		return sheet_bad(c, "%s '%.40s' is no number", c->names[column], text);
	return 0;
}

int sheet_want(const struct sheet *c, const char *name)
{
	int column = sheet_find(c, name);

	return column >= 0 ? column : error(-EINVAL, "'%s' has no column '%s'", c->path, name);
}

int sheet_want_number(const struct sheet *c, int column, double *v)
{
	int ret = sheet_number(c, column, v);

	return ret || !isnan(*v) ? ret : sheet_bad(c, "%s is missing", c->names[column]);
}

int sheet_each(struct sheet *c, int (*row)(struct sheet *c, void *arg), void *arg)
{
	int ret;

	while ((ret = sheet_next(c)) > 0) {
		ret = row(c, arg);
		if (ret)
			return ret;
	}
	return ret;
}
