// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/show/show.h"
#include "user/show/notes.h"

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

static void show_titles(struct table *t)
{
	for (size_t i = 0; i < ROW_METRICS; i++)
		table_cell(t, "%s", metric_named(row_metrics[i])->title);
	table_end_row(t);
}

static void show_sum(struct table *t, const struct sum *s)
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
