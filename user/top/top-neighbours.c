// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/top/top-view.h"

#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/metric/measurement.h"

#define NAMED 3 /* at most this number of neighbours are named */
/* Number of intervals that must end after the user has selected a row, before its neighbours are
 * shown. The first interval started before the selection, so its joint times are incomplete. */
#define CUTS_NEEDED 2

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

/* Compares groups by their joint times, the longest first. The joint time is the time in which both
 * the group and the selected group used a disk. Groups with equal times keep their order. */
static int by_joint(const void *a, const void *b)
{
	const struct group_sum *const *x = a, *const *y = b;

	if ((*x)->joint_ns != (*y)->joint_ns)
		return (*x)->joint_ns < (*y)->joint_ns ? 1 : -1;
	return (*x > *y) - (*x < *y);
}

/* Returns the neighbours of the selected group: the groups that used a disk at the same time as the
 * selected group, the longest joint time first. Sets *@n to their number. Sets *@self to the
 * selected group, or to NULL if the measurement lacks it. The caller frees the list. */
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

void top_neighbours(FILE *f, const struct top_view *v)
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
