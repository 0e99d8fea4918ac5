// SPDX-License-Identifier: GPL-2.0-or-later
/* CSV whose first line names columns of access.h, in any order: those that we export, and
 * those that others write. */
#include "import.h"

#include <stdlib.h>
#include <string.h>

#include "../user/err.h"

#define CELLS 256

struct csv {
	const struct column *columns[CELLS];	/* of the cells; NULL: not ours */
	unsigned n;				/* 0: the header is yet to come */
};

/* Ends the first cell of *@s there and takes its quotes away. *@s: the next one, or NULL.
 * NULL: the quotes are wrong. */
static char *take_cell(char **s)
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

/* ---- the header ---- */

static const struct column *find(const char *name)
{
	const struct column *c = columns;

	while (c->name && strcmp(c->name, name))
		c++;
	return c->name ? c : NULL;
}

static bool has(const struct csv *csv, const struct column *c)
{
	for (unsigned i = 0; i < csv->n; i++)
		if (csv->columns[i] == c)
			return true;
	return false;
}

static const char *const wanted[] = { "start_ns", "end_ns", "bytes", NULL };

static bool is_wanted(const struct column *c)
{
	for (int i = 0; wanted[i]; i++)
		if (!strcmp(wanted[i], c->name))
			return true;
	return false;
}

/* Columns that are not ours, once it is sure that the file is CSV at all. */
static void warn_unknown(const struct import *im, const struct csv *csv, char *const *names)
{
	for (unsigned i = 0; i < csv->n; i++)
		if (!csv->columns[i])
			warn("%s: column '%.40s' is not known and left out", im->in->name,
			     names[i]);
}

static int take_header(struct import *im, struct csv *csv, char *text)
{
	char *names[CELLS];

	if (!strncmp(text, "\xef\xbb\xbf", 3))	/* some put a mark before UTF-8 */
		text += 3;
	for (; text; csv->n++) {
		const struct column *c;

		if (csv->n == CELLS)
			return import_refuse(im, "more than %d columns", CELLS);
		names[csv->n] = take_cell(&text);
		if (!names[csv->n])
			return import_refuse(im, "wrong quotes in the header");
		c = find(names[csv->n]);
		if (c && has(csv, c))
			return import_refuse(im, "column '%s' is there twice", c->name);
		csv->columns[csv->n] = c;
	}
	for (int i = 0; wanted[i]; i++)
		if (!has(csv, find(wanted[i])))
			return import_refuse(im, "the header names no column '%s'", wanted[i]);
	warn_unknown(im, csv, names);
	return 0;
}

/* ---- a row ---- */

static int take_row(struct import *im, const struct csv *csv, char *text, struct access *x)
{
	for (unsigned i = 0; i < csv->n; i++) {
		const char *cell = text ? take_cell(&text) : NULL, *not;

		if (!cell)
			return import_bad(im, "%s in cell %u", text ? "wrong quotes" :
					  "the row ends too early", i + 1);
		if (!csv->columns[i])
			continue;
		not = column_read(csv->columns[i], x, cell);
		if (!*cell && is_wanted(csv->columns[i]))
			not = "a number";
		if (not)
			return import_bad(im, "%s '%.40s' is not %s", csv->columns[i]->name, cell,
					  not);
	}
	return text ? import_bad(im, "more cells than the header's %u", csv->n) : 1;
}

static int csv_line(struct import *im, struct import_file *in, char *text)
{
	struct access x = ACCESS_NONE;
	struct csv *csv = in->own;
	int ret;

	if (!*text)
		return 0;
	if (!csv->n)
		return take_header(im, csv, text);
	ret = take_row(im, csv, text, &x);
	if (ret <= 0)
		return ret;
	if (x.at.start_ns > x.at.end_ns)
		return import_bad(im, "it ends before it begins");
	in->at_ns = x.at.end_ns;
	return import_add(im, &x);
}

const struct importer import_csv = {
	.name = "csv",
	.sorted = true,
	.quoted = true,
	.input_size = sizeof(struct csv),
	.line = csv_line,
};
