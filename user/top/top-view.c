// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of iospan top: chooses and sorts the rows, and writes the lines above the table. A
 * group is a cgroup or process. The user can select a group, to see its neighbours: the groups that
 * used a disk at the same time as this group. */
#include "user/top/top-view.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/host/containers.h"
#include "user/base/num.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/table.h"
#include "user/metric/measurement.h"

char *top_row_name(const struct top_row *r)
{
	if (r->disk)
		return need_text("%s%s", r->disk->name, r->disk->stacked ? "*" : "");
	if (!r->group->path)
		return need_text("(other)");
	return container_title(r->group->path);
}

static bool has_text(const char *text, const char *wanted)
{
	char *pattern = need_text("*%s*", wanted);
	bool matches = !fnmatch(pattern, text, FNM_CASEFOLD);

	free(pattern);
	return matches;
}

static bool passes(const struct top_view *v, const struct top_row *r)
{
	char *name;
	bool is_it;

	if (!*v->filter)
		return true;
	name = top_row_name(r);
	is_it = has_text(name, v->filter) ||
		(r->group && r->group->path && has_text(r->group->path, v->filter));
	free(name);
	return is_it;
}

static void list_row(struct top_view *v, struct top_row row)
{
	if (!passes(v, &row))
		return;
	row.place = v->n;
	row.key = top_number(&top_columns[v->sort], &row);
	v->list[v->n++] = row;
}

static void add_group(struct top_view *v, const struct group_sum *g)
{
	struct top_row row = { .group = g };

	for (int i = 0; i < LAYERS; i++)
		if (report_sees(&v->report, i))
			row.sums[i] = group_layer(g, i);
	list_row(v, row);
}

/* Lists the rows of all groups except the root cgroup, because the lines above the table show its
 * numbers. */
static void list_groups(struct top_view *v, const struct measurement *m)
{
	for (unsigned i = 0; i < m->groups_n; i++)
		if (strcmp(m->groups[i].path, "/"))
			add_group(v, &m->groups[i]);
	if (group_is_used(&m->others))
		add_group(v, &m->others);
}

static void list_disks(struct top_view *v, const struct measurement *m)
{
	for (unsigned i = 0; i < m->disks_n; i++)
		list_row(v,
			 (struct top_row){ .disk = &m->disks[i],
					   .sums[LAYER_DEVICE] = &m->disks[i].all });
}

/* Compares rows for qsort(3): the largest value first, rows without a value last. Rows with equal
 * values keep their order in the measurement. */
static int by_key(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;
	bool no_x = isnan(x->key), no_y = isnan(y->key);

	if (no_x != no_y)
		return no_x - no_y;
	if (!no_x && x->key != y->key)
		return x->key < y->key ? 1 : -1;
	return (x->place > y->place) - (x->place < y->place);
}

static int by_key_reverse(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;

	if (isnan(x->key) != isnan(y->key))
		return isnan(x->key) - isnan(y->key);
	return by_key(b, a);
}

void top_view_list(struct top_view *v)
{
	const struct measurement *m = v->report.m;

	free(v->list);
	v->list = NULL;
	v->n = 0;
	if (m) {
		v->list = need(calloc(m->disks_n + m->groups_n + 1, sizeof(*v->list)));
		if (v->rows == TOP_DISKS)
			list_disks(v, m);
		else
			list_groups(v, m);
		qsort(v->list, v->n, sizeof(*v->list), v->reverse ? by_key_reverse : by_key);
	}
	v->matching = v->n;
	if (v->most && v->n > v->most)
		v->n = v->most;
	top_view_page(v, v->page);
}

void top_view_page(struct top_view *v, unsigned page)
{
	v->page = page;
	if (v->first + page > v->n)
		v->first = v->n > page ? v->n - page : 0;
}

bool top_is_selected(const struct top_view *v, const struct top_row *r)
{
	return v->selected && r->group && r->group->path && r->group->id == v->selected;
}

/* Returns the index of the selected row, or -1 if the page does not show it. */
static int selected_index(const struct top_view *v)
{
	for (unsigned i = v->first; i < v->n && i < v->first + v->page; i++)
		if (top_is_selected(v, &v->list[i]))
			return i;
	return -1;
}

static void show_row(struct top_view *v, unsigned i)
{
	if (i < v->first)
		v->first = i;
	else if (v->page && i >= v->first + v->page)
		v->first = i - v->page + 1;
}

void top_select(struct top_view *v, int step)
{
	int was = selected_index(v), to = was < 0 ? (int)v->first : was + step;

	if (to < 0 || to >= (int)v->n || v->rows == TOP_DISKS || !v->list[to].group->path)
		return;
	v->selected = v->list[to].group->id;
	v->selected_cuts = 0;
	show_row(v, to);
}

void top_view_release(struct top_view *v)
{
	free(v->list);
	history_release(&v->history);
	*v = (struct top_view){};
}

static void print_title(FILE *f, const struct top_view *v)
{
	static const char *const rows
		[] = { [TOP_DISKS] = "disk", [TOP_GROUPS] = "cgroup", [TOP_PROCESSES] = "process" };
	char clock[16], interval[NUM_TEXT];
	struct tm local;

	fputs("iospan top", f);
	if (v->report.m) {
		strftime(clock, sizeof(clock), "%T", localtime_r(&v->cut, &local));
		fprintf(f, "  %s  %s", clock, num_time_text(interval, v->report.m->elapsed_ns));
	} else {
		fputs("  waiting for the end of the first interval", f);
	}
	fputs("  ", f);
	if (v->n < v->matching)
		fprintf(f, "%u of ", v->n);
	fprintf(f, "%u %s%s by %s%s", v->matching, rows[v->rows],
		num_word(v->matching, "", v->rows == TOP_PROCESSES ? "es" : "s"),
		top_columns[v->sort].word, v->reverse ? ", reversed" : "");
	if (*v->filter)
		fprintf(f, "  with '%s'", v->filter);
	fputs(v->paused ? "  PAUSED\n" : "\n", f);
}

static const struct head_item {
	const char *metric;
	const char *title; /* title of the column; NULL: the title of the metric */
	int op;		   /* operation (enum vfs_op) of the column; -1: reads and writes */
} head_items[] = {
	{ "bps", NULL, -1 },
	{ KEY_BUSY, NULL, -1 },
	{ KEY_BANDWIDTH, NULL, -1 },
	{ KEY_LATENCY_P99, NULL, -1 },
	{ "concurrency", NULL, -1 },
	{ "span_ns", NULL, -1 },
	{ "iops", NULL, -1 },
	{ KEY_BANDWIDTH, "read", VFS_READ },
	{ KEY_BANDWIDTH, "write", VFS_WRITE },
	{},
};
static const struct head_item sync_items[] = {
	{ "latency_p50_ns", NULL, VFS_SYNC },
	{ "latency_p90_ns", NULL, VFS_SYNC },
	{ "latency_p95_ns", NULL, VFS_SYNC },
	{ KEY_LATENCY_P99, NULL, VFS_SYNC },
	{ "latency_max_ns", NULL, VFS_SYNC },
	{ "iops", "syncs/s", VFS_SYNC },
	{},
};
/* number of elements of the longer list, head_items, including its empty last element */
#define HEAD_ITEMS (sizeof(head_items) / sizeof(*head_items))
#define HEAD_TEXT (NUM_TEXT + 16)

static void head_text(char buf[HEAD_TEXT], const struct report *r, int layer,
		      const struct head_item *item)
{
	const struct metric *m = metric_named(item->metric);
	const struct sum *s = item->op < 0 ? &r->m->layers[layer] :
		layer == LAYER_APP	   ? &r->m->app_ops[item->op] :
		layer == LAYER_VFS	   ? &r->m->vfs_ops[item->op] :
					     NULL;
	char value[NUM_TEXT];

	*buf = '\0';
	if (s)
		snprintf(buf, HEAD_TEXT, "%s %s", item->title ?: m->title,
			 metric_text(value, m, s));
}

/* Prints a line for each layer up to @last. @of is printed after the name of the layer. Example:
 * vfs  BPS 343.4k  busy 0.998  bandwidth 164 MiB/s */
static void print_lines(FILE *f, const struct top_view *v, int last, const char *of,
			const struct head_item *items)
{
	char texts[LAYERS][HEAD_ITEMS][HEAD_TEXT] = {};
	unsigned widths[HEAD_ITEMS] = {},
		 used = *of ? strlen("vfs") + strlen(of) : strlen("device");

	for (int layer = 0; layer <= last; layer++)
		for (size_t i = 0; report_sees(&v->report, layer) && items[i].metric; i++) {
			char *text = texts[layer][i];

			head_text(text, &v->report, layer, &items[i]);
			widths[i] = strlen(text) > widths[i] ? strlen(text) : widths[i];
		}
	for (size_t i = 0; items[i].metric; i++)
		if (used + 2 + widths[i] <= v->columns)
			used += 2 + widths[i];
		else
			widths[i] = 0;
	for (int layer = 0; layer <= last; layer++) {
		if (!report_sees(&v->report, layer))
			continue;
		fprintf(f, *of ? "%s%s" : "%-6s%s", layer_names[layer], of);
		for (size_t i = 0; items[i].metric; i++)
			if (widths[i])
				fprintf(f, "  %-*s", (int)widths[i], texts[layer][i]);
		fputc('\n', f);
	}
}

#define NAMED 3 /* the line about neighbours names at most this number of them */
/* When the user has selected a group, its neighbours are shown after this number of intervals has
 * ended. The first of these intervals started before the selection, so its numbers lack the time
 * before the selection. */
#define CUTS_NEEDED 2

/* Compares groups by their joint times, the longest first. The joint time is the time in which both
 * the group and the selected group used a disk. Groups with equal times keep their order. */
static int by_joint(const void *a, const void *b)
{
	const struct group_sum *const *x = a, *const *y = b;

	if ((*x)->joint_ns != (*y)->joint_ns)
		return (*x)->joint_ns < (*y)->joint_ns ? 1 : -1;
	return (*x > *y) - (*x < *y);
}

/* Returns the neighbours of the selected group, the longest joint time first. Sets *@n to their
 * number. Sets *@self to the selected group, or to NULL if the measurement lacks it. The caller
 * frees the list. */
static const struct group_sum **find_neighbours(const struct top_view *v, unsigned *n,
						const struct group_sum **self)
{
	const struct measurement *m = v->report.m;
	const struct group_sum **list = need(calloc(m->groups_n + 1, sizeof(*list)));

	*self = NULL;
	*n = 0;
	for (unsigned i = 0; i < m->groups_n; i++) {
		if (m->groups[i].id == v->selected)
			*self = &m->groups[i];
		else if (m->groups[i].joint_ns)
			list[(*n)++] = &m->groups[i];
	}
	qsort(list, *n, sizeof(*list), by_joint);
	return list;
}

static void print_shares(FILE *f, const struct group_sum *self, const struct group_sum *const *list,
			 unsigned n)
{
	fputs(n ? " shares " : " shares its disks with no other", f);
	for (unsigned i = 0; i < n && i < NAMED; i++) {
		struct top_row row = { .group = list[i] };
		char *name = top_row_name(&row);
		double part = (double)list[i]->joint_ns / self->joint_ns;

		fprintf(f, "%s%.1f %%%s with %s", i ? ", " : "", part < 1 ? 100 * part : 100,
			i ? "" : " of its time", name);
		free(name);
	}
	if (n > NAMED)
		fprintf(f, ", and less with %u other%s", n - NAMED, num_word(n - NAMED, "", "s"));
}

/* Prints the line about the neighbours of the selected group. Prints nothing if no group is
 * selected. */
static void print_neighbours(FILE *f, const struct top_view *v)
{
	const struct group_sum *self, **list;
	unsigned n;

	if (!v->selected)
		return;
	if (!report_sees(&v->report, LAYER_DEVICE)) {
		fputs("neighbours are measured only at the device layer\n", f);
		return;
	}
	list = find_neighbours(v, &n, &self);
	fprintf(f, "selected %s", v->rows == TOP_PROCESSES ? "process" : "cgroup");
	if (v->selected_cuts < CUTS_NEEDED)
		fputs(": its neighbours are measured in the next interval", f);
	else if (!self || !self->joint_ns)
		fputs(" itself has no reads or writes on a disk", f);
	else
		print_shares(f, self, list, n);
	fputc('\n', f);
	free(list);
}

void top_head(FILE *f, const struct top_view *v)
{
	const struct report *r = &v->report;
	char buf[NUM_TEXT];

	print_title(f, v);
	if (!r->m)
		return;
	print_lines(f, v, LAYER_DEVICE, "", head_items);
	print_lines(f, v, LAYER_VFS, " sync", sync_items);
	fprintf(f, "amplification %s (bytes, device/vfs)",
		num_ratio_text(buf, report_amplification(r, LAYER_DEVICE, LAYER_VFS)));
	fprintf(f, "  PSI %s\n",
		num_fraction_text(buf, top_psi(&r->m->pressure, r->m->elapsed_ns)));
	print_neighbours(f, v);
	if (r->m->unmatched) {
		out_line_text(f, r->m->unmatched);
		fputc('\n', f);
	}
	show_losses_text(f, r->m);
	if (r->no_pressure && v->rows == TOP_GROUPS)
		note(f, "%s", r->no_pressure);
	if (r->hierarchy && v->rows == TOP_GROUPS)
		note(f, "%s", r->hierarchy);
	if (r->uncharged && v->rows == TOP_GROUPS)
		note(f,
		     "the io controller is not enabled in %u cgroup%s; the kernel "
		     "charges their I/O to the parent cgroup",
		     r->uncharged, num_word(r->uncharged, "", "s"));
}
