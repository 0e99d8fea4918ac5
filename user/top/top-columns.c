// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of iospan top, and the value of a row in each of them. */
#include <math.h>
#include <string.h>

#include "user/base/words.h"
#include "user/metric/measurement.h"
#include "user/top/top-view.h"

#define BUSY_MOST 0.9

double top_psi(const struct pressure *p, u64 elapsed_ns)
{
	return p->has_psi && elapsed_ns ? (double)p->some_ns / elapsed_ns : NAN;
}

static double row_amplification(const struct top_row *r)
{
	const struct sum *vfs = r->sums[LAYER_VFS], *device = r->sums[LAYER_DEVICE];

	return vfs && device ? show_amplification(device, vfs) : NAN;
}

static double row_psi(const struct top_row *r)
{
	return r->group ? top_psi(&r->group->pressure, r->group->device.elapsed_ns) : NAN;
}

static double row_shared(const struct top_row *r)
{
	return r->group ? group_shared_fraction(r->group) : NAN;
}

static double row_slowdown(const struct top_row *r)
{
	return r->group ? group_slowdown(r->group) : NAN;
}

const struct top_column top_columns[TOP_COLUMNS] = {
	[TOP_NAME] = { "name", 'n', "", LAYER_DEVICE, NULL },
	{ "bps-vfs", 'v', "vfs ", LAYER_VFS, "bps", .of = TOP_OF_GROUP },
	{ "bps", 'b', "dev ", LAYER_DEVICE, "bps" },
	{ "busy", 'u', "", LAYER_DEVICE, KEY_BUSY },
	{ "concurrency", 'o', "", LAYER_DEVICE, "concurrency" },
	{ "p99", '9', "", LAYER_DEVICE, KEY_LATENCY_P99 },
	{ "sync-p99", 's', "sync ", LAYER_VFS, KEY_LATENCY_P99, .of = TOP_OF_SYNC },
	[TOP_AMPLIFICATION] = { "amplification", 'a', .layer = LAYER_DEVICE, .title = "amplif.",
				.of = TOP_OF_GROUP, .value = row_amplification },
	{ "shared", 'S', .layer = LAYER_DEVICE, .title = "shared", .of = TOP_OF_GROUP,
	  .value = row_shared, .is_fraction = true },
	{ "slowdown", 'D', .layer = LAYER_DEVICE, .title = "slowdown", .of = TOP_OF_GROUP,
	  .value = row_slowdown },
	{ "iops", 'i', "", LAYER_DEVICE, "iops" },
	{ "bandwidth", 'w', "", LAYER_DEVICE, KEY_BANDWIDTH },
	{ "read", 'R', "", LAYER_DEVICE, KEY_BANDWIDTH, "read", TOP_OF_OP, OP_READ },
	{ "write", 'W', "", LAYER_DEVICE, KEY_BANDWIDTH, "write", TOP_OF_OP, OP_WRITE },
	{ "flush", 'F', "", LAYER_DEVICE, "iops", "flushes/s", TOP_OF_OP, OP_FLUSH },
	{ "span", 't', "", LAYER_DEVICE, "span_ns" },
	{ "arpt", 'A', "", LAYER_DEVICE, KEY_LATENCY_MEAN },
	{ "psi", 'P', .layer = LAYER_DEVICE, .title = "PSI", .of = TOP_OF_GROUP, .value = row_psi,
	  .is_fraction = true },
};

/* Returns true if @word is a title of column @c. The title depends on the kind of rows and on
 * the units. */
static bool has_title(const struct top_column *c, const char *word)
{
	char buf[NUM_TEXT];

	for (int i = 0; i < 2 * (TOP_PROCESSES + 1); i++) {
		const struct top_view v = { .rows = i / 2, .human = i % 2 };

		if (!strcasecmp(top_title(buf, &v, c), word))
			return true;
	}
	return c->metric && c->of == TOP_OF_ALL &&
		!strcasecmp(metric_named(c->metric)->title, word);
}

int top_column_named(const char *word)
{
	const char *words[TOP_COLUMNS + 1] = {};

	for (int i = 0; i < TOP_COLUMNS; i++) {
		const struct top_column *c = &top_columns[i];

		if (!strcasecmp(c->word, word) || has_title(c, word))
			return i;
		words[i] = c->word;
	}
	return words_error("column to sort by", words, word, "");
}

bool top_has_column(const struct top_view *v, const struct top_column *c)
{
	if (c->of == TOP_OF_SYNC && !report_sees(&v->report, LAYER_VFS))
		return false;
	return c->of == TOP_OF_ALL || c->of == TOP_OF_OP || v->rows != TOP_DISKS;
}

const char *top_title(char buf[NUM_TEXT], const struct top_view *v, const struct top_column *c)
{
	static const char *const names[] = { [TOP_DISKS] = "device",
					     [TOP_GROUPS] = "cgroup",
					     [TOP_PROCESSES] = "process" };
	const struct metric *m = c->metric ? metric_named(c->metric) : NULL;
	const char *unit = m && !v->human ? metric_unit(m) : "";

	if (!m)
		return c->title ?: names[v->rows];
	snprintf(buf, NUM_TEXT, *unit ? "%s%s(%s)" : "%s%s", c->layer_title, c->title ?: m->title,
		 unit);
	return buf;
}

/* Adds up the device accesses of @g with operation @op, without those on stacked disks, in *@to.
 * Sets only the numbers of accesses and bytes, and the elapsed time. */
static const struct sum *group_op(const struct group_sum *g, enum op op, struct sum *to)
{
	*to = (struct sum){ .elapsed_ns = g->device.elapsed_ns };
	for (unsigned i = 0; i < g->parts_n; i++) {
		const struct group_part *p = &g->parts[i];

		if (p->layer != LAYER_DEVICE || p->op != op || p->stacked)
			continue;
		to->row.accesses += p->accesses;
		to->row.bytes += p->bytes;
	}
	return to;
}

/* Returns the sum from which the value of column @c in row @r is computed. Returns NULL if the row
 * has no such sum. If the sum must be computed, stores it in *@made and returns @made. */
static const struct sum *sum_of(const struct top_column *c, const struct top_row *r,
				struct sum *made)
{
	if (c->of == TOP_OF_OP && r->sums[c->layer])
		return r->disk ? &r->disk->ops[c->op] : group_op(r->group, c->op, made);
	if (c->of == TOP_OF_SYNC)
		return r->sums[c->layer] ? &r->group->sync : NULL;
	return r->sums[c->layer];
}

double top_number(const struct top_column *c, const struct top_row *r)
{
	struct sum made;
	const struct sum *s = sum_of(c, r, &made);

	if (c->value)
		return c->value(r);
	return c->metric && s ? metric_value(s, c->metric) : NAN;
}

const char *top_value(char buf[NUM_TEXT], const struct top_view *v, const struct top_column *c,
		      const struct top_row *r)
{
	struct sum made;
	const struct sum *s = sum_of(c, r, &made);

	if (c->is_fraction)
		return num_fraction_text(buf, top_number(c, r));
	if (!c->metric)
		return num_ratio_text(buf, top_number(c, r));
	if (!s)
		return "-";
	return v->human ? metric_text(buf, metric_named(c->metric), s) :
			  metric_plain_text(buf, metric_named(c->metric), top_number(c, r));
}

bool top_is_busy(const struct top_column *c, const struct top_row *r)
{
	return c->metric && !strcmp(c->metric, KEY_BUSY) && top_number(c, r) >= BUSY_MOST;
}
