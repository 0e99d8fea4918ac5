// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

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
	struct sum others[BY_ROWS]; /* of the entities after the first r->top */
};

/* Calls @print for each row of the entity that has accesses. */
static void print_entity(struct by_printer *v, const struct by_entity *e,
			 void (*print)(struct by_printer *v, const char *title,
				       const struct by_row *row))
{
	char *title = names_title(v->r->by[v->kind].names, v->kind, e->number);

	for (int i = 0; i < BY_ROWS; i++) {
		const struct by_row *row = by_nth_row(e, i);

		if (row && row->counts.accesses)
			print(v, title, row);
	}
	free(title);
}

static void text_row(struct table *t, const char *title, int row, const struct sum *s)
{
	table_cell(t, "%s", title);
	table_cell(t, "%s", layer_names[row / BY_CLASSES]);
	table_cell(t, "%s", by_classes[row % BY_CLASSES]);
	show_sum(t, s);
}

static void print_text_row(struct by_printer *v, const char *title, const struct by_row *row)
{
	struct sum s;

	by_sum(row, v->r->elapsed_ns, &s);
	text_row(v->t, title, row->layer * BY_CLASSES + row->class, &s);
}

/* The numbers of a cgroup include those of the cgroups below it. T of several entities is not
 * known. */
static void add_other(struct by_printer *v, const struct by_entity *e, const bool *shown)
{
	struct sum s;

	if (e->above && !shown[e->above->number])
		return;
	for (int i = 0; i < BY_ROWS; i++)
		if (by_nth_row(e, i)) {
			by_sum(by_nth_row(e, i), v->r->elapsed_ns, &s);
			sum_add_row(&v->others[i], &s.row);
			v->others[i].elapsed_ns = s.elapsed_ns;
		}
}

static void print_others(struct by_printer *v, struct by_entity **rest)
{
	bool *shown = need(calloc(v->r->by[v->kind].n + 1, sizeof(*shown)));

	memset(shown, true, v->r->by[v->kind].n);
	for (struct by_entity **e = rest; *e; e++)
		shown[(*e)->number] = false;
	for (struct by_entity **e = rest; *e; e++)
		add_other(v, *e, shown);
	for (int i = 0; i < BY_ROWS; i++)
		if (v->others[i].row.accesses)
			text_row(v->t, "(others)", i, &v->others[i]);
	free(shown);
}

void by_text(FILE *f, const struct report_run *r, u32 kind)
{
	struct by_printer v = { r, table_new(3), kind, {} };
	struct by_entity **list = by_sorted(&r->by[kind]), **e = list;

	table_cell(v.t, "%s", trace_kind_names[kind]);
	table_cell(v.t, "%s", "layer");
	table_cell(v.t, "%s", "op");
	show_titles(v.t);
	for (u64 n = 0; *e && (!r->top || n < r->top); n++)
		print_entity(&v, *e++, print_text_row);
	print_others(&v, e);
	fputc('\n', f);
	table_text(f, v.t, "  ");
	table_free(v.t);
	free(list);
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
	struct by_printer v = { r, t, kind, {} };
	struct by_entity **list = by_sorted(&r->by[kind]);

	for (struct by_entity **e = list; *e; e++)
		print_entity(&v, *e, print_csv_row);
	free(list);
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
	const char *id = kind == TRACE_PROCESS ? "pid" : kind == TRACE_FILE ? "inode" : "id";
	char dev[DEV_TEXT];

	out_str(o, kind == TRACE_FILE || kind == TRACE_GROUP ? "path" : "name", n->text);
	if (kind == TRACE_DISK) {
		out_str(o, "dev", n->id ? dev_text(dev, n->id) : NULL);
		out_bool(o, "stacked", n->stacked);
	} else if (n->id) {
		out_u64(o, id, n->id);
	} else {
		out_null(o, id);
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
