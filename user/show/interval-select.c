// SPDX-License-Identifier: GPL-2.0-or-later
/* Selects and sorts the disks, cgroups or processes of an interval, and adds up those that are not
 * shown. A group is a cgroup or process. */
#include "user/show/interval-select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/metric/measurement.h"
#include "user/show/notes.h"
#include "user/trace/filter.h"
#include "user/trace/unmatched.h"

/* ---- sorting ---- */

/* Compares two values for sorting: larger values first, NaN last. */
static int by_value(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a < b) - (a > b);
}

static int by_disk(const void *a, const void *b, void *sort)
{
	const struct disk_sum *x = a, *y = b;
	const struct metric *m = ((const struct sort_column *)sort)->metric;
	int order = m ? by_value(m->value(&x->all), m->value(&y->all)) : 0;

	return order ?: strverscmp(x->name, y->name);
}

/* Returns the value by which group @g is sorted. Returns 0 if groups are sorted by name. */
static double group_value(const struct sort_column *sort, const struct group_sum *g)
{
	const struct metric *m = sort->metric;

	if (!m)
		return sort->of_group ? sort->of_group->value(g) : 0;
	return fmax(m->value(&g->device), m->value(&g->vfs));
}

static int by_group(const void *a, const void *b, void *sort)
{
	const struct group_sum *x = a, *y = b;
	int order = by_value(group_value(sort, x), group_value(sort, y));

	return order ?: group_path_order(x->path, y->path);
}

void interval_sort(const struct sort_column *sort, struct measurement *m)
{
	qsort_r(m->disks, m->disks_n, sizeof(*m->disks), by_disk, (void *)sort);
	qsort_r(m->groups, m->groups_n, sizeof(*m->groups), by_group, (void *)sort);
}

/* ---- the rows that are not shown ---- */

static void add(struct sum *to, const struct sum *s)
{
	sum_add_row(to, &s->row);
	to->elapsed_ns = s->elapsed_ns;
}

unsigned interval_rest_of_disks(const struct measurement *m, unsigned first, struct sum *rest)
{
	unsigned n = 0;

	*rest = (struct sum){};
	for (unsigned i = first; i < m->disks_n; i++) {
		if (m->disks[i].stacked)
			continue;
		add(rest, &m->disks[i].all);
		n++;
	}
	return n;
}

struct group_sum interval_rest_of_groups(const struct measurement *m, unsigned first)
{
	struct group_sum *rest = need(calloc(m->groups_n + 1, sizeof(*rest))), sum = {};
	unsigned n = m->groups_n - first;
	const struct group_sum *above = NULL;
	struct sort_column by_name = {};

	memcpy(rest, m->groups + first, n * sizeof(*rest));
	qsort_r(rest, n, sizeof(*rest), by_group, &by_name);
	for (unsigned i = 0; i < n; i++) {
		if (above && group_is_below(rest[i].path, above->path))
			continue;
		above = &rest[i];
		add(&sum.device, &above->device);
		add(&sum.vfs, &above->vfs);
		add(&sum.sync, &above->sync);
	}
	free(rest);
	return sum;
}

/* ---- selection ---- */

static bool matches(const char *wanted, u32 kind, const char *text, u64 id)
{
	const struct trace_name n = { .kind = kind, .id = id, .text = text };

	return text && trace_name_matches(&n, wanted);
}

/* Returns true if the process matches the filter (v->group). The filter can be the name of a
 * process, its number, or both, such as "dd[123]". */
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
	if (!v->group)
		return true;
	return v->processes ? wants_process(v, g) : trace_group_matches(g->path, g->id, v->group);
}

static bool has_traffic(const struct interval_view *v, const struct sum *s)
{
	return s->row.bytes * 1e9 >= (double)v->min_rate * s->elapsed_ns;
}

/* If no cgroup or process with I/O matches the filter, returns a text that says so, which the
 * caller frees. Otherwise returns NULL. */
static char *unmatched_groups(const struct interval_view *v, const struct measurement *m)
{
	struct present present = {};

	for (unsigned i = 0; i < m->groups_n; i++)
		if (wants_group(v, &m->groups[i])) {
			present_free(&present);
			return NULL;
		} else if (strcmp(m->groups[i].path, "/")) {
			present_add(&present, m->groups[i].path);
		}
	return unmatched_text(&present, interval_group_noun(v), v->group);
}

/* Returns which filter matches nothing, if any. Then also sets m->unmatched to a text about it. */
static enum interval_match match_filters(const struct interval_view *v, struct measurement *m)
{
	m->unmatched = v->disk ? unmatched_disks(v->disk) : NULL;
	if (m->unmatched)
		return INTERVAL_NO_DISK;
	m->unmatched = v->group ? unmatched_groups(v, m) : NULL;
	return m->unmatched ? INTERVAL_NO_GROUP : INTERVAL_MATCHES;
}

static bool has_rows(const struct interval_view *v, const struct measurement *m)
{
	if (!v->groups && !v->processes)
		return m->disks_n;
	for (unsigned i = 0; i < m->groups_n; i++)
		if (group_is_used(&m->groups[i]) || m->groups[i].pressure.some_ns)
			return true;
	return group_is_used(&m->others);
}

static char *idle_text(const struct interval_view *v, const struct measurement *m)
{
	const char *what = v->processes ? "process" : v->groups ? "cgroup" : "device";
	bool groups = v->groups || v->processes;
	const char *wanted = groups ? v->group : v->disk, *disk = groups ? v->disk : NULL;

	if (disk && has_stacked(m))
		return need_text("no row of a %s has I/O of a stacked device such as '%s'; "
				 "select the devices below it",
				 what, disk);
	return need_text("no %s%s%s%s has I/O%s%s%s%s", what, wanted ? " that matches '" : "",
			 wanted ?: "", wanted ? "'" : "", v->min_rate ? " of --min-rate" : "",
			 disk ? " on a device that matches '" : "", disk ?: "", disk ? "'" : "");
}

void interval_set_idle(const struct interval_view *v, struct measurement *m)
{
	free(m->unmatched);
	m->unmatched = idle_text(v, m);
}

enum interval_match interval_select(const struct interval_view *v, struct measurement *m)
{
	enum interval_match match = match_filters(v, m);
	unsigned n = 0;

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
	/* the filters match only idle rows */
	if (!m->unmatched && (v->disk || v->group) && !has_rows(v, m))
		interval_set_idle(v, m);
	if (v->is_sorted)
		interval_sort(&v->sort, m);
	return match;
}
