// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/show/show.h"
#include "user/show/histogram.h"
#include "user/show/notes.h"
#include "user/show/show-csv.h"
#include "user/show/show-json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/table.h"
#include "user/metric/measurement.h"

/* Metrics that are columns in the tables of operations, disks and cgroups. */
static const char *const row_metrics[] = {
	"accesses",    "bytes",		 "span_ns",	  "bps",	  "iops",
	KEY_BANDWIDTH, KEY_LATENCY_MEAN, KEY_LATENCY_P99, KEY_QUEUE_MEAN, KEY_BUSY,
};
#define ROW_METRICS (sizeof(row_metrics) / sizeof(*row_metrics))

/* ---- facts about a report ---- */

bool report_has_layer(const struct report *r, int layer)
{
	return r->options->layers & (1u << layer);
}

bool report_sees(const struct report *r, int layer)
{
	if (r->backends)
		return r->backends[layer];
	if (layer != LAYER_APP || !report_has_layer(r, layer))
		return report_has_layer(r, layer);
	return r->m->app_programs || r->m->app_ring.row.accesses;
}

const char *report_charge(const struct report *r)
{
	if (r->options->attribution == BY_TASK)
		return "task";
	return strcmp(r->options->charged.path, r->options->target.path) ? "blkio v1" : "io v2";
}

const char *report_backend(const struct report *r, int layer)
{
	if (r->backends)
		return r->backends[layer];
	if (!report_has_layer(r, layer))
		return NULL;
	if (layer == LAYER_APP)
		return r->library ? "preload, ring" : "ring";
	if (layer == LAYER_VFS)
		return r->options->fentry  ? "fentry" :
			r->options->faults ? "tracepoint, fentry" :
					     "tracepoint";
	return "tp_btf";
}

bool disk_is_used(const struct disk_sum *d)
{
	for (int op = 0; op < DEVICE_OPS; op++)
		if (d->ops[op].row.accesses || d->ops[op].span_ns)
			return true;
	return false;
}

double report_amplification(const struct report *r, int lower, int upper)
{
	double below = r->m->layers[lower].row.bytes, above = r->m->layers[upper].row.bytes;

	if (!report_sees(r, lower) || !report_sees(r, upper) || above <= 0)
		return NAN;
	return below / above;
}

u64 overlap_ns(const struct sum *a, const struct sum *b, u64 joint_ns)
{
	u128 sum = (u128)a->span_ns + b->span_ns;

	return sum > joint_ns ? sum - joint_ns : 0;
}

/* ---- text output ---- */

static void layer_table(FILE *f, const struct report *r)
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

static void disk_text(struct table *t, const struct disk_sum *d)
{
	char name[DISK_NAME + 2];

	snprintf(name, sizeof(name), "%s%s", d->name, d->stacked ? "*" : "");
	if (d->all.row.accesses) {
		table_cell(t, "%s", name);
		table_cell(t, "%s", READ_WRITE);
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

	table_cell(t, "%s", "name");
	table_cell(t, "%s", "op");
	show_titles(t);
	if (report_sees(r, LAYER_APP))
		op_rows(t, "app", m->app_ops, vfs_op_names, CALL_OPS);
	if (report_sees(r, LAYER_VFS))
		op_rows(t, "vfs", m->vfs_ops, vfs_op_names, CALL_OPS);
	for (unsigned i = 0; i < m->disks_n; i++)
		if (disk_is_used(&m->disks[i]))
			disk_text(t, &m->disks[i]);
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

static void joint_span_text(FILE *f, const struct report *r, int layer, u64 joint_ns)
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
	layer_table(f, r);
	show_parts_text(f, r);
	groups_text(f, r, LAYER_VFS);
	groups_text(f, r, LAYER_DEVICE);
	fputc('\n', f);
	amplification_text(f, r);
	joint_span_text(f, r, LAYER_APP, r->m->app_device_ns);
	joint_span_text(f, r, LAYER_VFS, r->m->vfs_device_ns);
}

static void note_text(void *f, const char *text)
{
	note(f, "%s", text);
}

char *show_backends(const struct report *r)
{
	char *text = need_text("%s", "");

	for (int i = 0; i <= LAYERS; i++) {
		const char *by = i < LAYERS ? report_backend(r, i) :
			r->backends	    ? NULL :
					      report_charge(r);
		char *before = text;

		if (!by)
			continue;
		text = need_text("%s%s%s %s", before, *before ? "; " : "",
				 i < LAYERS ? layer_names[i] : "device I/O attributed by", by);
		free(before);
	}
	return text;
}

void show_backends_text(FILE *f, const struct report *r)
{
	char *text = show_backends(r);

	if (*text)
		out_line_format(f, "  measured by: %s", text);
	if (*text)
		fputc('\n', f);
	free(text);
}

char *show_loss_text(const struct loss *l)
{
	char *text = need_text("lost: %llu %s", (unsigned long long)l->n, l->text), *to = text;
	bool drop = false, choice = false;

	for (const char *from = text; *from; from++) {
		if (*from == '[')
			choice = true, drop = l->n != 1;
		else if (choice && *from == '|')
			drop = l->n == 1;
		else if (*from == ']')
			choice = drop = false;
		else if (!drop)
			*to++ = *from;
	}
	*to = '\0';
	return text;
}

void show_losses_text(FILE *f, const struct measurement *m)
{
	for (const struct loss *l = m->losses; l->name; l++) {
		char *text = l->n ? show_loss_text(l) : NULL;

		if (text)
			fprintf(f, "  %s\n", text);
		free(text);
	}
}

void show_evidence_text(FILE *f, const struct report *r)
{
	show_losses_text(f, r->m);
	report_notes(r, note_text, f);
	if (verbosity.verbose)
		report_limits(r, note_text, f);
	show_backends_text(f, r);
}

void show_histograms_text(FILE *f, const struct report *r)
{
	struct out *doc = out_object();

	show_numbers_json(doc, r);
	fputc('\n', f);
	histograms_text(f, doc);
	out_free(doc);
}

/* Prints the arguments of the command. Control characters become '?', because they must not reach
 * the terminal. */
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
	if (r->has_histograms)
		show_histograms_text(f, r);
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
