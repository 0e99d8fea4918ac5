// SPDX-License-Identifier: GPL-2.0-or-later
/* Sorts the disks, cgroups or processes of an interval, and adds up those that are not shown. A
 * group is a cgroup or process. */
#include "user/show/interval-rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"

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

/* Returns the same number for all groups if they are sorted by name. */
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
