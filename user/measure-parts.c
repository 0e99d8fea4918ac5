// SPDX-License-Identifier: GPL-2.0-or-later
/* What each group did by layer, disk and operation: of the cells, each with those below it. */
#include <stdlib.h>

#include "err.h"
#include "maps.h"
#include "retire.h"

/* A part, and the number of its group; 0: there is none. */
struct numbered_part {
	struct group_part part;
	u32 group;
};

void maps_add_counts(struct cell_counts *to, const struct cell_counts *from)
{
	to->accesses += from->accesses;
	to->bytes += from->bytes;
	to->errors += from->errors;
	to->latency_ns += from->latency_ns;
}

/* Of @cell alone, and of what has been below it. */
static struct cell_counts own_counts(const struct maps *m, u32 cell)
{
	const struct cell *c = &m->cells[cell];
	const struct cell_counts *below = retire_below_cell(m, cell);
	struct cell_counts n = { .accesses = c->lost, .bytes = c->lost_bytes };

	for (u32 i = 0; i < 1U << m->stripe_bits; i++)
		maps_add_counts(&n, &m->cell_counts[(cell << m->stripe_bits) + i]);
	if (below)
		maps_add_counts(&n, below);
	return n;
}

static void add_counts(struct group_part *to, const struct cell_counts *from)
{
	to->accesses += from->accesses;
	to->bytes += from->bytes;
	to->errors += from->errors;
	to->latency_ns += from->latency_ns;
}

static void add_part(const struct maps *m, struct numbered_part *parts, u32 cell)
{
	const struct cell *c = &m->cells[cell];
	struct cell_counts own = own_counts(m, cell);
	bool vfs = c->disk == PLACE_VFS;

	parts[cell].group = c->group & GROUP_OTHER ? GROUP_NONE : c->group;
	parts[cell].part.layer = vfs ? LAYER_VFS : LAYER_DEVICE;
	parts[cell].part.dev = vfs ? 0 : m->disks[c->disk].is.dev;
	parts[cell].part.op = c->op;
	parts[cell].part.span_ns = m->total_ns[c->span + m->leaves];
	for (u32 up = cell; up && up < m->max_cells; up = m->cells[up].up)
		add_counts(&parts[up].part, &own);
}

int group_part_order(const struct group_part *p, const struct group_part *q)
{
	if (p->layer != q->layer)
		return p->layer < q->layer ? -1 : 1;
	if (p->dev != q->dev)
		return p->dev < q->dev ? -1 : 1;
	return (p->op > q->op) - (p->op < q->op);
}

static int part_order(const void *a, const void *b)
{
	const struct numbered_part *p = a, *q = b;

	if (p->group != q->group)
		return p->group < q->group ? -1 : 1;
	return group_part_order(&p->part, &q->part);
}

void maps_measure_parts(const struct maps *m, struct group_sum *sums, u32 sums_n,
			struct measurement *to)
{
	u32 n = maps_cells(m);
	struct numbered_part *parts = need(calloc(n + 1, sizeof(*parts)));

	for (u32 i = 1; i < n; i++)
		if (m->cells[i].group && (m->cells[i].disk == PLACE_VFS ||
					  m->cells[i].disk < MAX_DISKS))
			add_part(m, parts, i);
	qsort(parts, n, sizeof(*parts), part_order);
	to->parts = need(calloc(n + 1, sizeof(*to->parts)));
	for (u32 i = 0, at = 0; i < n; i++) {
		const struct numbered_part *p = &parts[i];
		struct group_sum *g = &sums[p->group];

		if (!p->group || p->group >= sums_n || (!p->part.accesses && !p->part.span_ns))
			continue;
		if (!g->parts_n++)
			g->parts = &to->parts[at];
		to->parts[at++] = p->part;
	}
	free(parts);
}
