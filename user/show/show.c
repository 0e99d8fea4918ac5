// SPDX-License-Identifier: GPL-2.0-or-later
/* The report for people, and the flat one for spreadsheets. */
#include "user/show/show.h"
#include "user/show/notes.h"
#include "user/show/show-json.h"

#include <math.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/table.h"
#include "user/metric/measurement.h"

/* Columns of the tables with a row per device, operation, group; the other
 * metrics are in the table of layers, and all are in JSON and CSV. */
static const char *const row_metrics[] = {
	"accesses", "bytes",  "span_ns",  "bps",  "iops", "bandwidth_bytes_per_s",
	"arpt_ns",  "p99_ns", "queue_ns", "busy",
};
#define ROW_METRICS (sizeof(row_metrics) / sizeof(*row_metrics))

/* ---- text ---- */

static void layers_text(FILE *f, const struct report *r)
{
	const struct sum *sums[LAYERS];
	const char *titles[LAYERS];
	int n = 0;

	for (int i = 0; i < LAYERS; i++) {
		if (!report_backend(r, i))
			continue;
		titles[n] = layer_names[i];
		sums[n++] = report_sees(r, i) ? &r->m->layers[i] : NULL;
	}
	metrics_text(f, titles, sums, n);
}

void show_titles(struct table *t)
{
	for (size_t i = 0; i < ROW_METRICS; i++)
		table_cell(t, "%s", metric_named(row_metrics[i])->title);
	table_end_row(t);
}

void show_sum(struct table *t, const struct sum *s)
{
	char buf[NUM_TEXT];

	for (size_t i = 0; i < ROW_METRICS; i++)
		table_cell(t, "%s", metric_text(buf, metric_named(row_metrics[i]), s));
	table_end_row(t);
}

static void op_rows(struct table *t, const char *what, const struct sum *ops,
		    const char *const *names, int n)
{
	for (int op = 0; op < n; op++) {
		if (!ops[op].row.accesses)
			continue;
		table_cell(t, "%s", what);
		table_cell(t, "%s", names[op]);
		show_sum(t, &ops[op]);
	}
}

static void disk_rows(struct table *t, const struct disk_sum *d)
{
	char name[DISK_NAME + 2];

	snprintf(name, sizeof(name), "%s%s", d->name, d->stacked ? "*" : "");
	if (d->all.row.accesses) {
		table_cell(t, "%s", name);
		table_cell(t, "%s", "r+w");
		show_sum(t, &d->all);
	}
	op_rows(t, name, d->ops, op_names, DEVICE_OPS);
}

static bool has_parts(const struct measurement *m)
{
	bool any = false;

	for (int op = 0; op < CALL_OPS; op++)
		any |= m->app_ops[op].row.accesses || m->vfs_ops[op].row.accesses;
	for (unsigned i = 0; i < m->disks_n; i++)
		any |= disk_is_used(&m->disks[i]);
	return any;
}

void show_parts_text(FILE *f, const struct report *r)
{
	const struct measurement *m = r->m;
	struct table *t;

	if (!has_parts(m))
		return;
	t = table_new(2);

	table_cell(t, "%s", "part");
	table_cell(t, "%s", "op");
	show_titles(t);
	if (report_sees(r, LAYER_APP))
		op_rows(t, "app", m->app_ops, vfs_op_names, CALL_OPS);
	if (report_sees(r, LAYER_VFS))
		op_rows(t, "vfs", m->vfs_ops, vfs_op_names, CALL_OPS);
	for (unsigned i = 0; i < m->disks_n; i++)
		if (disk_is_used(&m->disks[i]))
			disk_rows(t, &m->disks[i]);
	fputc('\n', f);
	table_text(f, t, "  ");
	table_free(t);
}

static void group_row(struct table *t, const char *name, const struct group_sum *g, int layer)
{
	const struct sum *s = group_layer(g, layer);

	if (!s->row.accesses && !s->span_ns)
		return;
	table_cell(t, "%s", name);
	show_sum(t, s);
}

static void groups_text(FILE *f, const struct report *r, int layer)
{
	struct table *t;

	if (!r->m->groups_n || !report_sees(r, layer))
		return;
	t = table_new(1);
	table_cell(t, "cgroup (%s layer)", layer_names[layer]);
	show_titles(t);
	for (unsigned i = 0; i < r->m->groups_n; i++)
		group_row(t, r->m->groups[i].path, &r->m->groups[i], layer);
	group_row(t, "(other)", &r->m->others, layer);
	fputc('\n', f);
	table_text(f, t, "  ");
	table_free(t);
}

/* How T(upper) and T(device) lie to each other. */
static void joint_text(FILE *f, const struct report *r, int layer, u64 joint_ns)
{
	const struct sum *upper = &r->m->layers[layer];
	const struct sum *device = &r->m->layers[LAYER_DEVICE];
	double both = overlap_ns(upper, device, joint_ns);
	char a[NUM_TEXT], b[NUM_TEXT], c[NUM_TEXT];

	if (!report_sees(r, layer) || !report_sees(r, LAYER_DEVICE))
		return;
	fprintf(f,
		"  %s and device: %s both, %s %s only (software, cache), "
		"%s device only (background)\n",
		layer_names[layer], num_time_text(a, both),
		num_time_text(b, fmax(upper->span_ns - both, 0)), layer_names[layer],
		num_time_text(c, fmax(device->span_ns - both, 0)));
}

static void amplification_text(FILE *f, const struct report *r)
{
	double upper = report_amplification(r, LAYER_VFS, LAYER_APP);
	double lower = report_amplification(r, LAYER_DEVICE, LAYER_VFS);
	char a[NUM_TEXT], b[NUM_TEXT];

	if (isnan(upper) && isnan(lower))
		return;
	fprintf(f, "  amplification: vfs/app %s, device/vfs %s (bytes)\n", num_ratio_text(a, upper),
		num_ratio_text(b, lower));
}

void show_numbers_text(FILE *f, const struct report *r)
{
	layers_text(f, r);
	show_parts_text(f, r);
	groups_text(f, r, LAYER_VFS);
	groups_text(f, r, LAYER_DEVICE);
	fputc('\n', f);
	amplification_text(f, r);
	joint_text(f, r, LAYER_APP, r->m->app_device_ns);
	joint_text(f, r, LAYER_VFS, r->m->vfs_device_ns);
}

static void print_note(void *f, const char *text)
{
	fprintf(f, "  note: %s\n", text);
}

void show_backends_text(FILE *f, const struct report *r)
{
	const char *between = "  measured by:";

	for (int i = 0; i < LAYERS; i++) {
		if (!report_backend(r, i))
			continue;
		fprintf(f, "%s %s ", between, layer_names[i]);
		out_line_text(f, report_backend(r, i));
		between = ";";
	}
	if (!r->backends)
		fprintf(f, "%s device I/O told apart by %s", between, report_charge(r));
	if (!r->backends || *between == ';')
		fputc('\n', f);
}

void show_losses_text(FILE *f, const struct measurement *m)
{
	for (const struct loss *l = m->losses; l->name; l++)
		if (l->n)
			fprintf(f, "  lost: %llu %s\n", (unsigned long long)l->n, l->text);
}

void show_evidence_text(FILE *f, const struct report *r)
{
	show_losses_text(f, r->m);
	report_notes(r, print_note, f);
	show_backends_text(f, r);
}

/* The command may have anything in it; its line is one, and moves no cursor. */
static void argv_text(FILE *f, char *const *argv)
{
	for (; *argv; argv++) {
		out_line_text(f, *argv);
		fputs(argv[1] ? " " : "", f);
	}
}

static void show_text(FILE *f, const struct report *r)
{
	char buf[NUM_TEXT];

	fprintf(f, "\n");
	argv_text(f, r->argv);
	fprintf(f, ": %s elapsed, exit status %d\n\n", num_time_text(buf, r->m->elapsed_ns),
		r->status);
	show_numbers_text(f, r);
	show_evidence_text(f, r);
}

/* ---- CSV: a row per layer, per part of it ---- */

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

/* CSV has no place for them, but they are not kept back. */
static void warn_losses(const struct report *r)
{
	for (const struct loss *l = r->m->losses; l->name; l++)
		if (l->n)
			warn("lost: %llu %s", (unsigned long long)l->n, l->text);
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

static void show_csv(FILE *f, const struct report *r)
{
	struct table *t = table_new(3);

	show_csv_titles(t);
	show_csv_numbers(t, r);
	table_csv(f, t);
	table_free(t);
	warn_losses(r);
}

void show(FILE *f, enum out_format format, const struct report *r)
{
	if (format == OUT_JSON)
		show_json(f, r);
	else if (format == OUT_CSV)
		show_csv(f, r);
	else
		show_text(f, r);
}
