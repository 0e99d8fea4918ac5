// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "user/host/dev.h"
#include "user/base/need.h"
#include "tools/report/report.h"
#include "tools/report/report-by.h"

const char *const by_keys[TRACE_KINDS] = {
	[TRACE_DISK] = "devices_accessed",
	[TRACE_GROUP] = "cgroups",
	[TRACE_PROCESS] = "processes",
	[TRACE_FILE] = "files_accessed",
};

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

static void identity_json(struct out *o, const struct by *by, u32 number)
{
	const struct trace_name *n = by->names->of[by->kind][number];
	char *title = names_title(by->names, by->kind, number);
	u32 kind = by->kind;
	char dev[DEV_TEXT];

	out_str(o, "title", title);
	free(title);
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

		identity_json(o, by, (*e)->number);
		for (int layer = 0; layer < LAYERS; layer++)
			out_put(layers, layer_names[layer], layer_json(r, (*e)->rows[layer]));
		out_put(o, "layers", layers);
		out_append(array, o);
	}
	free(list);
	return array;
}
