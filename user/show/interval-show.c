// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/show/interval-show.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/host/cgroup-names.h"
#include "user/trace/filter.h"
#include "user/trace/unmatched.h"
#include "user/base/table.h"
#include "user/metric/measurement.h"
#include "user/host/dev.h"
#include "user/show/histogram.h"
#include "user/show/interval-rows.h"
#include "user/show/show-json.h"

static bool matches(const char *wanted, u32 kind, const char *text, u64 id)
{
	const struct trace_name n = { .kind = kind, .id = id, .text = text };

	return text && trace_name_matches(&n, wanted);
}

/* Returns true if the filter matches the process: by its name, its number, or both, as "dd[123]" in
 * the rows. */
static bool wants_process(const struct interval_view *v, const struct group_sum *g)
{
	char *name = need(strdup(g->path));
	bool wanted;

	*strrchr(name, '[') = '\0';
	wanted = matches(v->group, TRACE_PROCESS, name, group_process(g->id)) ||
		matches(v->group, TRACE_PROCESS, g->path, 0);
	free(name);
	return wanted;
}

static bool wants_group(const struct interval_view *v, const struct group_sum *g)
{
	char *name;
	bool wanted;

	if (!v->group)
		return true;
	if (v->processes)
		return wants_process(v, g);
	name = cgroup_name(g->path);
	wanted = matches(v->group, TRACE_GROUP, g->path, g->id) ||
		matches(v->group, TRACE_GROUP, name, 0);
	free(name);
	return wanted;
}

static bool has_traffic(const struct interval_view *v, const struct sum *s)
{
	return s->row.bytes * 1e9 >= (double)v->min_rate * s->elapsed_ns;
}

/* If no cgroup or process with I/O passes the filter, returns an error text, which the caller
 * frees; else NULL. */
static char *unmatched_groups(const struct interval_view *v, const struct measurement *m)
{
	const char *what = v->processes ? "process with I/O" : "cgroup with I/O";
	struct present present = {};

	for (unsigned i = 0; i < m->groups_n; i++)
		if (wants_group(v, &m->groups[i])) {
			present_free(&present);
			return NULL;
		} else if (strcmp(m->groups[i].path, "/")) {
			present_add(&present, m->groups[i].path);
		}
	return unmatched_text(&present, what, v->group);
}

static char *unmatched_rows(const struct interval_view *v, const struct measurement *m)
{
	char *text = v->disk ? unmatched_disks(v->disk) : NULL;

	return text || !v->group ? text : unmatched_groups(v, m);
}

/* Sets m->unmatched if all disks, cgroups or processes that match the filter were idle. The caller
 * has already removed all others from @m. */
static void find_idle(const struct interval_view *v, struct measurement *m)
{
	bool groups = v->groups || v->processes;
	const char *wanted = groups ? v->group : v->disk;

	if (m->unmatched || !wanted || (groups ? m->groups_n : m->disks_n))
		return;
	m->unmatched = need_text("no %s that matches '%s' has I/O%s",
				 v->processes	? "process" :
					 groups ? "cgroup" :
						  "device",
				 wanted, v->min_rate ? " of --min-rate" : "");
}

void interval_select(const struct interval_view *v, struct measurement *m)
{
	unsigned n = 0;

	m->unmatched = unmatched_rows(v, m);
	for (unsigned i = 0; i < m->disks_n; i++) {
		const struct disk_sum *d = &m->disks[i];

		if (has_traffic(v, &d->all) &&
		    (!v->disk || matches(v->disk, TRACE_DISK, d->name, d->dev)))
			m->disks[n++] = *d;
	}
	m->disks_n = n;
	n = 0;
	for (unsigned i = 0; i < m->groups_n; i++) {
		struct group_sum g = m->groups[i];

		if ((has_traffic(v, &g.device) || has_traffic(v, &g.vfs)) && wants_group(v, &g))
			m->groups[n++] = g;
		else
			free(g.path);
	}
	m->groups_n = n;
	if (v->group || !(has_traffic(v, &m->others.device) || has_traffic(v, &m->others.vfs)))
		m->others = (struct group_sum){};
	find_idle(v, m);
	if (v->is_sorted)
		interval_sort(v->sort, m);
}

static const char *const usual_metrics[] = {
	"iops",	       KEY_BANDWIDTH,	 "span_ns",	  "bps", KEY_BUSY,
	"concurrency", KEY_LATENCY_MEAN, KEY_LATENCY_P99, NULL,
};

static void each_column(const struct interval_view *v, struct table *t, const struct sum *s,
			void (*put)(const struct interval_view *v, struct table *t,
				    const struct metric *m, const struct sum *s))
{
	if (v->extended)
		for (const struct metric *m = metrics; m->key; m++)
			put(v, t, m, s);
	else
		for (const char *const *key = usual_metrics; *key; key++)
			put(v, t, metric_named(*key), s);
	table_end_row(t);
}

static void put_title(const struct interval_view *v, struct table *t, const struct metric *m,
		      const struct sum *s)
{
	const char *unit = v->human ? "" : metric_unit(m);

	table_cell(t, *unit ? "%s(%s)" : "%s", m->title, unit);
}

static void put_value(const struct interval_view *v, struct table *t, const struct metric *m,
		      const struct sum *s)
{
	char buf[NUM_TEXT];

	table_cell(t, "%s", v->human ? metric_text(buf, m, s) : metric_plain_text(buf, m, s));
}

static void ops_table(const struct interval_view *v, struct table *t, const char *name,
		      const struct sum *ops, const char *const *names, int n)
{
	for (int op = 0; v->parts && op < n; op++) {
		if (!ops[op].row.accesses && !ops[op].span_ns)
			continue;
		table_cell(t, "%s %s", name, names[op]);
		each_column(v, t, &ops[op], put_value);
	}
}

/* Returns how many of @n rows are shown. */
static unsigned shown_rows(const struct interval_view *v, unsigned n)
{
	return v->top && v->top < n ? v->top : n;
}

static void layers_table(const struct interval_view *v, struct table *t, const struct report *r)
{
	/* with a filter, the total of the layer would not match the rows below it */
	if (v->disk || v->group)
		return;
	for (int i = 0; i < LAYERS; i++) {
		if (!report_sees(r, i))
			continue;
		table_cell(t, "(%s)", layer_names[i]);
		each_column(v, t, &r->m->layers[i], put_value);
		if (i == LAYER_APP)
			ops_table(v, t, "(app)", r->m->app_ops, vfs_op_names, CALL_OPS);
		else if (i == LAYER_VFS)
			ops_table(v, t, "(vfs)", r->m->vfs_ops, vfs_op_names, CALL_OPS);
	}
}

static void disks_table(const struct interval_view *v, struct table *t, const struct report *r)
{
	unsigned n = shown_rows(v, r->m->disks_n), rest;
	struct sum others;

	for (unsigned i = 0; i < n; i++) {
		const struct disk_sum *d = &r->m->disks[i];
		char name[DISK_NAME + 2];

		snprintf(name, sizeof(name), "%s%s", d->name, d->stacked ? "*" : "");
		table_cell(t, "%s", name);
		each_column(v, t, &d->all, put_value);
		ops_table(v, t, name, d->ops, op_names, DEVICE_OPS);
	}
	rest = interval_rest_of_disks(r->m, n, &others);
	if (!rest)
		return;
	table_cell(t, "(%u other%s)", rest, num_word(rest, "", "s"));
	each_column(v, t, &others, put_value);
}

/* Adds a row for a part of a group, such as "nginx.service vda read". */
static void part_line(const struct interval_view *v, struct table *t, const struct report *r,
		      const char *name, const struct group_part *p)
{
	/* If an access lost its completion, its latency is missing, so the sum of latencies is
	 * unknown. */
	bool timed = p->latency_ns >= p->span_ns;
	struct sum s = { .row = { .accesses = p->accesses,
				  .timed = timed ? p->accesses : 0,
				  .bytes = p->bytes,
				  .errors = p->errors,
				  .latency_ns = p->latency_ns } };
	bool vfs = p->layer == LAYER_VFS;
	char dev[DEV_TEXT];
	const char *disk = vfs ? "(vfs)" : dev_text(dev, p->dev);

	for (unsigned i = 0; !vfs && i < r->m->disks_n; i++)
		if (r->m->disks[i].dev == p->dev)
			disk = r->m->disks[i].name;
	sum_set_span(&s, p->span_ns, r->m->elapsed_ns);
	table_cell(t, "%s %s %s", name, disk, vfs ? vfs_op_names[p->op] : op_names[p->op]);
	each_column(v, t, &s, put_value);
}

/* Adds a row for each layer at which the group has I/O. */
static void group_lines(const struct interval_view *v, struct table *t, const struct report *r,
			const char *name, const struct group_sum *g)
{
	for (int i = LAYER_VFS; i < LAYERS; i++) {
		const struct sum *s = group_layer(g, i);

		if (!report_sees(r, i) || (!s->row.accesses && !s->span_ns))
			continue;
		table_cell(t, i == LAYER_VFS ? "%s (vfs)" : "%s", name);
		each_column(v, t, s, put_value);
	}
	for (unsigned i = 0; v->parts && i < g->parts_n; i++)
		part_line(v, t, r, name, &g->parts[i]);
}

static void groups_table(const struct interval_view *v, struct table *t, const struct report *r)
{
	unsigned n = shown_rows(v, r->m->groups_n), rest = r->m->groups_n - n;
	struct group_sum others;
	char *name;

	for (unsigned i = 0; i < n; i++) {
		const struct group_sum *g = &r->m->groups[i];

		name = cgroup_name(g->path);
		group_lines(v, t, r, name ?: g->path, g);
		free(name);
	}
	if (rest) {
		others = interval_rest_of_groups(r->m, n);
		name = need_text("(%u other%s)", rest, num_word(rest, "", "s"));
		group_lines(v, t, r, name, &others);
		free(name);
	}
	group_lines(v, t, r, "(other)", &r->m->others);
}

static void print_clock(FILE *f)
{
	time_t now = time(NULL);
	struct tm local;
	char text[40];

	strftime(text, sizeof(text), "%FT%T%z", localtime_r(&now, &local));
	fprintf(f, "%s\n", text);
}

static void print_histograms(FILE *f, const struct report *r)
{
	struct out *doc = out_object();

	show_numbers_json(doc, r);
	histograms_text(f, doc);
	out_free(doc);
}

void interval_text(FILE *f, const struct interval_view *v, const struct report *r)
{
	struct table *t;

	if (v->clock)
		print_clock(f);
	if (r->m->unmatched) {
		out_line_text(f, r->m->unmatched);
		fputc('\n', f);
		show_losses_text(f, r->m);
		fputc('\n', f);
		return;
	}
	t = table_new(1);
	table_cell(t, "%s", v->processes ? "process" : v->groups ? "cgroup" : "device");
	each_column(v, t, NULL, put_title);
	layers_table(v, t, r);
	if (v->groups || v->processes)
		groups_table(v, t, r);
	else
		disks_table(v, t, r);
	table_text(f, t, "");
	table_free(t);
	show_losses_text(f, r->m);
	if (r->has_histograms)
		print_histograms(f, r);
	else
		fputc('\n', f);
}

static void put_times(struct out *doc, const struct measurement *m)
{
	out_u64(doc, "start_ns", m->begin_ns);
	out_u64(doc, "end_ns", m->begin_ns + m->elapsed_ns);
}

static const struct view_column times[] = { COLUMN("start_ns"), COLUMN("end_ns"), {} };

void interval_csv_titles(FILE *f)
{
	view_csv_titles(f, show_views, times);
}

void interval_csv(FILE *f, const struct report *r)
{
	struct out *doc = out_object();

	put_times(doc, r->m);
	show_numbers_json(doc, r);
	show_losses_json(doc, r->m->losses);
	view_csv_rows(f, &(struct place){ .node = doc }, show_views, times);
	out_free(doc);
}

void interval_json(FILE *f, const struct report *r)
{
	struct out *doc = out_object();
	struct timespec real;

	clock_gettime(CLOCK_REALTIME, &real);
	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", r->command);
	out_u64(doc, "elapsed_ns", r->m->elapsed_ns);
	put_times(doc, r->m);
	out_u64(doc, "realtime_ns", real.tv_sec * 1000000000ULL + real.tv_nsec);
	out_u64(doc, "in_flight", r->m->in_flight);
	show_numbers_json(doc, r);
	show_evidence_json(doc, r);
	out_json_line(f, doc);
	out_free(doc);
}
