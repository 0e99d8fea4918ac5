// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "user/host/dev.h"
#include "user/base/need.h"
#include "tools/report/report.h"
#include "tools/report/report-by.h"
#include "user/base/table.h"
#include "user/show/show-csv.h"

const char *const by_keys[TRACE_KINDS] = {
	[TRACE_DISK] = "devices_accessed",
	[TRACE_GROUP] = "cgroups",
	[TRACE_PROCESS] = "processes",
	[TRACE_FILE] = "files_accessed",
};

struct by_printer {
	const struct report_run *r;
	struct table *t;
	u32 kind;
};

/* Calls @print for each row of the table that has accesses. */
static void print_rows(struct by_printer *v,
		       void (*print)(struct by_printer *v, const char *title,
				     const struct by_row *row))
{
	const struct by *by = &v->r->by[v->kind];
	struct by_entity **list = by_sorted(by);

	for (struct by_entity **e = list; *e; e++) {
		char *title = names_title(by->names, v->kind, (*e)->number);

		for (int i = 0; i < BY_ROWS; i++) {
			const struct by_row *row = by_nth_row(*e, i);

			if (row && row->counts.accesses)
				print(v, title, row);
		}
		free(title);
	}
	free(list);
}

static void print_text_row(struct by_printer *v, const char *title, const struct by_row *row)
{
	struct sum s;

	by_sum(row, v->r->elapsed_ns, &s);
	table_cell(v->t, "%s", title);
	table_cell(v->t, "%s", layer_names[row->layer]);
	table_cell(v->t, "%s", by_classes[row->class]);
	show_sum(v->t, &s);
}

void by_text(FILE *f, const struct report_run *r, u32 kind)
{
	struct by_printer v = { r, table_new(3), kind };

	table_cell(v.t, "%s", trace_kind_names[kind]);
	table_cell(v.t, "%s", "layer");
	table_cell(v.t, "%s", "op");
	show_titles(v.t);
	print_rows(&v, print_text_row);
	fputc('\n', f);
	table_text(f, v.t, "  ");
	table_free(v.t);
}

static void print_csv_row(struct by_printer *v, const char *title, const struct by_row *row)
{
	const struct csv_subject of = { layer_names[row->layer], trace_kind_names[v->kind], title,
					by_classes[row->class] };
	struct sum s;

	by_sum(row, v->r->elapsed_ns, &s);
	show_csv_sum(v->t, &of, &s);
}

void by_csv(struct table *t, const struct report_run *r, u32 kind)
{
	struct by_printer v = { r, t, kind };

	print_rows(&v, print_csv_row);
}

/* ---- JSON ---- */

static struct out *layer_json(const struct report_run *r, struct by_row *const *rows)
{
	struct out *o, *ops = out_object();
	struct sum s = { .has_span = true, .elapsed_ns = r->elapsed_ns };
	bool any = false;

	if (rows[BY_RW])
		by_sum(rows[BY_RW], r->elapsed_ns, &s);
	o = sum_json(&s);
	for (int class = 0; class < BY_CLASSES; class ++) {
		any |= rows[class] != NULL;
		if (!rows[class] || class == BY_RW)
			continue;
		by_sum(rows[class], r->elapsed_ns, &s);
		out_put(ops, by_classes[class], sum_json(&s));
	}
	out_put(o, "operations", ops);
	if (any)
		return o;
	out_free(o);
	return NULL;
}

static void identity_json(struct out *o, u32 kind, const struct trace_name *n)
{
	char dev[DEV_TEXT];

	out_str(o, kind == TRACE_FILE || kind == TRACE_GROUP ? "path" : "name", n->text);
	if (kind == TRACE_DISK) {
		out_str(o, "dev", n->id ? dev_text(dev, n->id) : NULL);
		out_bool(o, "stacked", n->stacked);
	} else if (n->id) {
		out_u64(o,
			kind == TRACE_PROCESS	   ? "pid" :
				kind == TRACE_FILE ? "inode" :
						     "id",
			n->id);
	}
}

struct out *by_json(const struct report_run *r, u32 kind)
{
	const struct by *by = &r->by[kind];
	struct by_entity **list = by_sorted(by);
	struct out *array = out_array();

	for (struct by_entity **e = list; *e; e++) {
		struct out *o = out_object(), *layers = out_object();

		identity_json(o, kind, by->names->of[kind][(*e)->number]);
		for (int layer = 0; layer < LAYERS; layer++)
			out_put(layers, layer_names[layer], layer_json(r, (*e)->rows[layer]));
		out_put(o, "layers", layers);
		out_append(array, o);
	}
	free(list);
	return array;
}
