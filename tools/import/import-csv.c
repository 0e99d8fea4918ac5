// SPDX-License-Identifier: GPL-2.0-or-later
/* Imports CSV files of iospan export or of other programs. columns[] in tools/input/access.c lists
 * their columns. */
#include "tools/import/import.h"

#include <string.h>

#include "user/base/err.h"

static int report_fault(struct import *im, const struct csv *csv, enum csv_result result)
{
	if (result == CSV_BAD_ROW)
		return import_bad(im, "%s", csv->error);
	return result == CSV_BAD_HEADER ? import_refuse(im, "%s", csv->error) : (int)result;
}

int import_csv_take(struct import *im, struct csv *csv, const struct csv_format *format, char *line,
		    void *row)
{
	bool header = !csv->n;
	enum csv_result result = csv_take(csv, format, line, row);

	for (int i = 0; header && result == CSV_NO_ROW && i < csv->n; i++)
		if (csv->columns[i] < 0)
			warn("%s: column '%.40s' is not known and left out", im->in->name,
			     csv->names[i]);
	return report_fault(im, csv, result);
}

int import_csv_either(struct import *im, struct csv *csv, const struct csv_format *format, int a,
		      int b)
{
	return report_fault(im, csv, csv_either(csv, format, a, b));
}

static const char *const wanted[] = { "start_ns", "end_ns", "bytes", NULL };

static const char *access_column(int column)
{
	return columns[column].name;
}

static const char *set_access(void *access, int column, const char *cell)
{
	for (int i = 0; !*cell && wanted[i]; i++)
		if (!strcmp(wanted[i], columns[column].name))
			return "a number";
	/* The cast removes const. That is safe, because the cell is in the line, which csv_line()
	 * may overwrite. */
	return column_read(&columns[column], access, (char *)cell);
}

static int csv_line(struct import *im, struct import_file *in, char *text)
{
	static const struct csv_format format = { access_column, wanted, set_access };
	struct access x = ACCESS_NONE;
	int ret = import_csv_take(im, in->own, &format, text, &x);

	if (ret <= 0)
		return ret;
	if (x.at.start_ns > x.at.end_ns)
		return import_bad(im, "it ends before it starts");
	in->at_ns = x.at.end_ns;
	return import_add(im, &x);
}

static void csv_close(struct import_file *in)
{
	csv_release(in->own);
}

const struct importer import_csv = {
	.name = "csv",
	.sorted = true,
	.quoted = true,
	.input_size = sizeof(struct csv),
	.line = csv_line,
	.close = csv_close,
};
