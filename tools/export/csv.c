// SPDX-License-Identifier: GPL-2.0-or-later
/* Exports CSV that iospan import can read. columns[] in tools/input/access.c lists the columns. */
#include "tools/export/export.h"

#include "user/base/err.h"

static void csv_begin(struct export *e)
{
	for (const struct column *c = columns; c->name; c++)
		fprintf(e->f, "%s%s", c == columns ? "" : ",", c->name);
	fputc('\n', e->f);
}

/* Returns the first cells of a line, which are the same for all accesses of a stream (struct
 * export_stream), such as device,read,,vda,254:0,0,/job,dd,4711,,0,, */
static char *csv_stream(struct export *e, const struct access *x)
{
	char *text = NULL;
	size_t size;
	FILE *f = need(open_memstream(&text, &size));

	for (int i = 0; i < COLUMNS_OWN; i++) {
		column_write(f, &columns[i], x);
		fputc(',', f);
	}
	if (fclose(f))
		need(NULL);
	return need(text);
}

static void csv_access(struct export *e, const struct export_stream *s,
		       const struct trace_access *a)
{
	const struct access x = { .at = *a };

	fputs(s->text, e->f);
	for (int i = COLUMNS_OWN; i < COLUMNS; i++) {
		if (i > COLUMNS_OWN)
			putc_unlocked(',', e->f);
		column_write(e->f, &columns[i], &x);
	}
	putc_unlocked('\n', e->f);
}

const struct exporter export_csv = {
	.name = "csv",
	.begin = csv_begin,
	.stream = csv_stream,
	.access = csv_access,
};
