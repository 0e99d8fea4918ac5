// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the union of the intervals of one batch: accesses that are read from a trace together.
 * If intervals overlap or touch, the union has one interval for them. */
#include "tools/report/gather.h"

#define NONE ((struct part){ ~0ULL, 0 })

/* Appends the interval g->last to the list. g->last ends after all intervals of the list. If the
 * last intervals of the list overlap or touch g->last, joins them with it. */
static void close_last(struct gather *g)
{
	struct parts *l = &g->list;

	if (g->last.start_ns >= g->last.end_ns)
		return;
	while (l->n && l->at[l->n - 1].end_ns >= g->last.start_ns) {
		l->n--;
		if (l->at[l->n].start_ns < g->last.start_ns)
			g->last.start_ns = l->at[l->n].start_ns;
	}
	parts_push(l, g->last);
}

void gather_next(struct gather *g, u64 start_ns, u64 end_ns)
{
	struct part p = { start_ns, end_ns };

	if (start_ns >= end_ns)
		return;
	if (end_ns < g->last.start_ns && g->last.start_ns < g->last.end_ns) {
		parts_push(&g->late, p);
		return;
	}
	close_last(g);
	g->last = p;
}

const struct parts *gather_end(struct gather *g)
{
	struct parts all = {};

	close_last(g);
	g->last = NONE;
	if (!g->late.n)
		return &g->list;
	parts_sort(&g->late);
	parts_merge(&all, &g->list, &g->late);
	parts_release(&g->list);
	g->list = all;
	g->late.n = 0;
	return &g->list;
}

void gather_begin(struct gather *g)
{
	g->last = NONE;
	g->list.n = g->late.n = 0;
}

void gather_release(struct gather *g)
{
	parts_release(&g->list);
	parts_release(&g->late);
}
