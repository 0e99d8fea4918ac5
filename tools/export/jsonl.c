// SPDX-License-Identifier: GPL-2.0-or-later
/* Exports JSON lines: an object for each access. columns[] in tools/input/access.c lists the
 * keys. */
#include "tools/export/export.h"
#include "user/base/out-print.h"

#include <string.h>

/* Returns the start of the JSON text, which is the same for all accesses of a stream (struct
 * export_stream), such as {"layer":"device",...,"stacked":false */
static char *jsonl_stream(struct export *e, const struct access *x)
{
	struct out *node = out_object();
	char *text;

	for (int i = 0; i < COLUMNS_OWN; i++)
		column_out(node, &columns[i], x);
	text = out_canonical(node, NULL);
	out_free(node);
	text[strlen(text) - 1] = '\0';
	return text;
}

static void jsonl_access(struct export *e, const struct export_stream *s,
			 const struct trace_access *a)
{
	const struct access x = { .at = *a };

	fputs(s->text, e->f);
	for (int i = COLUMNS_OWN; i < COLUMNS; i++) {
		fputs_unlocked(",\"", e->f);
		fputs_unlocked(columns[i].name, e->f);
		fputs_unlocked("\":", e->f);
		column_json(e->f, &columns[i], &x);
	}
	fputs("}\n", e->f);
}

const struct exporter export_jsonl = {
	.name = "jsonl",
	.stream = jsonl_stream,
	.access = jsonl_access,
};
