// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/import/csv.h"

#include <math.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/num.h"

char *csv_cell(char **s)
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

static int find(const struct csv_format *format, const char *name)
{
	int c = 0;

	while (format->name(c) && strcmp(format->name(c), name))
		c++;
	return format->name(c) ? c : -1;
}

bool csv_has(const struct csv *csv, int column)
{
	for (unsigned i = 0; i < csv->n; i++)
		if (csv->columns[i] == column)
			return true;
	return false;
}

/* Columns that are not ours, once it is sure that the file is CSV at all. */
static void warn_unknown(const struct import *im, const struct csv *csv, char *const *names)
{
	for (unsigned i = 0; i < csv->n; i++)
		if (csv->columns[i] < 0)
			warn("%s: column '%.40s' is not known and left out", im->in->name,
			     names[i]);
}

static int take_header(struct import *im, struct csv *csv, const struct csv_format *format,
		       char *text)
{
	char *names[CSV_CELLS];

	if (!strncmp(text, "\xef\xbb\xbf", 3)) /* some put a mark before UTF-8 */
		text += 3;
	for (; text; csv->n++) {
		int c;

		if (csv->n == CSV_CELLS)
			return import_refuse(im, "more than %d columns", CSV_CELLS);
		names[csv->n] = csv_cell(&text);
		if (!names[csv->n])
			return import_refuse(im, "wrong quotes in the header");
		c = find(format, names[csv->n]);
		if (c >= 0 && csv_has(csv, c))
			return import_refuse(im, "column '%s' is there twice", format->name(c));
		csv->columns[csv->n] = c;
	}
	for (const char *const *w = format->wanted; *w; w++)
		if (!csv_has(csv, find(format, *w)))
			return import_refuse(im, "the header names no column '%s'", *w);
	warn_unknown(im, csv, names);
	return 0;
}

/* ---- a row ---- */

static int take_row(struct import *im, const struct csv *csv, const struct csv_format *format,
		    char *text, void *row)
{
	for (unsigned i = 0; i < csv->n; i++) {
		const char *cell = text ? csv_cell(&text) : NULL, *not ;

		if (!cell)
			return import_bad(im, "%s in cell %u",
					  text ? "wrong quotes" : "the row ends too early", i + 1);
		if (csv->columns[i] < 0)
			continue;
		not = format->take(row, csv->columns[i], cell);
		if (not )
			return import_bad(im, "%s '%.40s' is not %s", format->name(csv->columns[i]),
					  cell, not );
	}
	return text ? import_bad(im, "more cells than the header's %u", csv->n) : 1;
}

int csv_take(struct import *im, struct csv *csv, const struct csv_format *format, char *text,
	     void *row)
{
	if (!*text)
		return 0;
	return csv->n ? take_row(im, csv, format, text, row) : take_header(im, csv, format, text);
}

int csv_either(struct import *im, const struct csv *csv, const struct csv_format *format, int a,
	       int b)
{
	if (!csv->n || csv_has(csv, a) != csv_has(csv, b))
		return 0;
	return import_refuse(im, "the header must name one of the columns '%s' and '%s'",
			     format->name(a), format->name(b));
}

/* ---- cells ---- */

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
