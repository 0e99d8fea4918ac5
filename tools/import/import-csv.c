// SPDX-License-Identifier: GPL-2.0-or-later
/* CSV with columns of access.h: those that we export, and those that others write. */
#include <string.h>

#include "tools/import/csv.h"
#include "tools/import/import-trace.h"

static const char *const wanted[] = { "start_ns", "end_ns", "bytes", NULL };

static bool is_wanted(const char *name)
{
	for (int i = 0; wanted[i]; i++)
		if (!strcmp(wanted[i], name))
			return true;
	return false;
}

static const char *name(int column)
{
	return columns[column].name;
}

static const char *take(void *access, int column, const char *cell)
{
	if (!*cell && is_wanted(columns[column].name))
		return "a number";
	return column_read(&columns[column], access, cell);
}

static const struct csv_format format = { name, wanted, take };

static int csv_line(struct import *im, struct import_file *in, char *text)
{
	struct access x = ACCESS_NONE;
	int ret = csv_take(im, in->own, &format, text, &x);

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
