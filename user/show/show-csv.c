// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/show/show-csv.h"

#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/table.h"
#include "user/metric/measurement.h"
#include "user/show/show.h"

void show_csv_some(struct table *t, const struct csv_subject *of, const struct sum *s,
		   bool (*has)(const struct metric *m))
{
	char buf[NUM_TEXT];

	table_cell(t, "%s", of->layer);
	table_cell(t, "%s", of->kind);
	table_cell(t, "%s", of->name ?: "");
	table_cell(t, "%s", of->op);
	for (const struct metric *m = metrics; m->key; m++)
		table_cell(t, "%s", has(m) ? metric_exact_text(buf, m, s) : "");
	table_end_row(t);
}

static bool has_all(const struct metric *m)
{
	return true;
}

void show_csv_sum(struct table *t, const struct csv_subject *of, const struct sum *s)
{
	show_csv_some(t, of, s, has_all);
}

static void csv_ops(struct table *t, const char *layer, const struct sum *ops)
{
	for (int op = 0; op < CALL_OPS; op++)
		if (ops[op].row.accesses)
			show_csv_sum(
				t, &(struct csv_subject){ layer, "layer", NULL, vfs_op_names[op] },
				&ops[op]);
}

void show_csv_losses(const struct report *r)
{
	for (const struct loss *l = r->m->losses; l->name; l++) {
		char *text = l->n ? show_loss_text(l) : NULL;

		if (text)
			warn_loss("%s", text);
		free(text);
	}
}

void show_csv_titles(struct table *t)
{
	table_cell(t, "layer");
	table_cell(t, "kind");
	table_cell(t, "name");
	table_cell(t, "op");
	for (const struct metric *x = metrics; x->key; x++)
		table_cell(t, "%s", x->key);
	table_end_row(t);
}

static void csv_groups(struct table *t, const struct report *r, int layer)
{
	const struct measurement *m = r->m;
	struct csv_subject of = { layer_names[layer],
				  r->options && r->options->per_process ? "process" : "cgroup",
				  "(other)", READ_WRITE };

	if (!report_sees(r, layer))
		return;
	for (unsigned i = 0; i < m->groups_n; i++) {
		of.name = m->groups[i].path;
		show_csv_sum(t, &of, group_layer(&m->groups[i], layer));
	}
	of.name = "(other)";
	if (group_layer(&m->others, layer)->row.accesses)
		show_csv_sum(t, &of, group_layer(&m->others, layer));
}

static void csv_sources(struct table *t, const struct measurement *m)
{
	for (int i = 0; i < SRC_MAX; i++)
		if (m->vfs_sources[i].row.accesses)
			show_csv_sum(
				t, &(struct csv_subject){ "vfs", "source", source_names[i], "all" },
				&m->vfs_sources[i]);
}

static void csv_disk(struct table *t, const struct disk_sum *d)
{
	struct csv_subject of = { "device", "device", d->name, READ_WRITE };

	if (!disk_is_used(d))
		return;
	show_csv_sum(t, &of, &d->all);
	for (int op = 0; op < DEVICE_OPS; op++) {
		of.op = op_names[op];
		if (d->ops[op].row.accesses)
			show_csv_sum(t, &of, &d->ops[op]);
	}
}

void show_csv_numbers(struct table *t, const struct report *r)
{
	const struct measurement *m = r->m;

	for (int i = 0; i < LAYERS; i++)
		if (report_sees(r, i))
			show_csv_sum(
				t,
				&(struct csv_subject){ layer_names[i], "layer", NULL, READ_WRITE },
				&m->layers[i]);
	if (report_sees(r, LAYER_APP))
		csv_ops(t, "app", m->app_ops);
	if (report_sees(r, LAYER_VFS)) {
		csv_ops(t, "vfs", m->vfs_ops);
		csv_sources(t, m);
	}
	csv_groups(t, r, LAYER_VFS);
	csv_groups(t, r, LAYER_DEVICE);
	for (unsigned i = 0; i < m->disks_n; i++)
		csv_disk(t, &m->disks[i]);
}

void show_csv(FILE *f, const struct report *r)
{
	struct table *t = table_new(4);

	show_csv_titles(t);
	show_csv_numbers(t, r);
	table_csv(f, t);
	table_free(t);
	show_csv_losses(r);
}
