// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/show/show-csv.h"

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/table.h"
#include "user/metric/measurement.h"

void show_csv_some(struct table *t, const char *layer, const char *part, const char *op,
		   const struct sum *s, bool (*has)(const struct metric *m))
{
	char buf[NUM_TEXT];

	table_cell(t, "%s", layer);
	table_cell(t, "%s", part);
	table_cell(t, "%s", op);
	for (const struct metric *m = metrics; m->key; m++)
		table_cell(t, "%s", has(m) ? metric_exact_text(buf, m, s) : "");
	table_end_row(t);
}

static bool has_all(const struct metric *m)
{
	return true;
}

void show_csv_sum(struct table *t, const char *layer, const char *part, const char *op,
		  const struct sum *s)
{
	show_csv_some(t, layer, part, op, s, has_all);
}

static void csv_ops(struct table *t, const char *layer, const char *part, const struct sum *ops,
		    const char *const *names, int n)
{
	for (int op = 0; op < n; op++)
		if (ops[op].row.accesses)
			show_csv_sum(t, layer, part, names[op], &ops[op]);
}

/* CSV has no rows for losses. */
static void warn_losses(const struct report *r)
{
	for (const struct loss *l = r->m->losses; l->name; l++)
		if (l->n)
			warn_loss("lost: %llu %s", (unsigned long long)l->n, l->text);
}

void show_csv_titles(struct table *t)
{
	table_cell(t, "layer");
	table_cell(t, "part");
	table_cell(t, "operation");
	for (const struct metric *x = metrics; x->key; x++)
		table_cell(t, "%s", x->key);
	table_end_row(t);
}

static void csv_groups(struct table *t, const struct report *r, int layer)
{
	const struct measurement *m = r->m;

	if (!report_sees(r, layer))
		return;
	for (unsigned i = 0; i < m->groups_n; i++)
		show_csv_sum(t, layer_names[layer], m->groups[i].path, "cgroup",
			     group_layer(&m->groups[i], layer));
	if (group_layer(&m->others, layer)->row.accesses)
		show_csv_sum(t, layer_names[layer], "(other)", "cgroup",
			     group_layer(&m->others, layer));
}

void show_csv_numbers(struct table *t, const struct report *r)
{
	const struct measurement *m = r->m;

	for (int i = 0; i < LAYERS; i++)
		if (report_sees(r, i))
			show_csv_sum(t, layer_names[i], "", "read+write", &m->layers[i]);
	if (report_sees(r, LAYER_APP))
		csv_ops(t, "app", "", m->app_ops, vfs_op_names, CALL_OPS);
	if (report_sees(r, LAYER_VFS)) {
		csv_ops(t, "vfs", "", m->vfs_ops, vfs_op_names, CALL_OPS);
		for (int i = 0; i < SRC_MAX; i++)
			if (m->vfs_sources[i].row.accesses)
				show_csv_sum(t, "vfs", source_names[i], "all", &m->vfs_sources[i]);
	}
	csv_groups(t, r, LAYER_VFS);
	csv_groups(t, r, LAYER_DEVICE);
	for (unsigned i = 0; i < m->disks_n; i++) {
		if (!disk_is_used(&m->disks[i]))
			continue;
		show_csv_sum(t, "device", m->disks[i].name, "read+write", &m->disks[i].all);
		csv_ops(t, "device", m->disks[i].name, m->disks[i].ops, op_names, DEVICE_OPS);
	}
}

void show_csv(FILE *f, const struct report *r)
{
	struct table *t = table_new(3);

	show_csv_titles(t);
	show_csv_numbers(t, r);
	table_csv(f, t);
	table_free(t);
	warn_losses(r);
}
