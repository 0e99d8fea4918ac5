// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes parts, the sums of a group by layer, disk and operation. The BPF programs count in
 * cells. A cell has the counters of one group, disk and operation, without child groups. cell.up is
 * the cell of the parent group.
 *
 * An OP_BOTH cell is for reads and writes together. It has no counters, but two durations. One is
 * the time in which the group had reads or writes in flight on the disk. The other is the part of
 * this time in which other groups also had some. */
#include "user/kernel/measure-parts.h"

#include <stdlib.h>

#include "user/base/err.h"
#include "user/kernel/group-states.h"
#include "user/kernel/selected.h"

/* Returns the counters of cell @cell. They include those of removed child groups (retire.h). */
static struct cell_counts own_counts(const struct maps *m, u32 cell)
{
	const struct cell *c = &m->cells[cell];
	const struct cell_counts *retired = group_retired_cells(m, cell);
	struct cell_counts n = { .accesses = c->lost, .bytes = c->lost_bytes };

	for (u32 i = 0; i < 1U << m->group_bits; i++)
		maps_add_counts(&n, &m->cell_counts[(cell << m->group_bits) + i]);
	if (retired)
		maps_add_counts(&n, retired);
	return n;
}

static void add_to_part(struct group_part *to, const struct cell_counts *from)
{
	to->accesses += from->accesses;
	to->bytes += from->bytes;
	to->errors += from->errors;
	to->latency_ns += from->latency_ns;
}

/* Adds the counters of @cell to the part of its group. Also adds them to the parts of all ancestors
 * of the group, because the part of a group includes its child groups. */
static void add_cell_part(const struct maps *m, struct numbered_part *parts, u32 cell)
{
	struct cell c = maps_cell(m, cell);
	struct cell_counts own = own_counts(m, cell);
	bool vfs = c.disk == DISK_VFS;

	if (!c.group || cell_is_both(&c) || (!vfs && c.disk >= MAX_DISKS) ||
	    c.span + m->leaves >= m->max_spans)
		return;
	parts[cell].group = c.group & GROUP_OTHER ? GROUP_NONE : c.group;
	parts[cell].cell = cell;
	parts[cell].part.layer = vfs ? LAYER_VFS : LAYER_DEVICE;
	parts[cell].part.dev = vfs ? 0 : m->disks[c.disk].is.dev;
	parts[cell].part.disk = vfs ? 0 : c.disk;
	parts[cell].part.op = c.op;
	parts[cell].part.stacked = !vfs && m->disks[c.disk].is.stacked;
	parts[cell].part.span_ns = m->totals[vfs ? c.span : c.span + m->leaves].ns;
	for (u32 up = cell; up; up = __atomic_load_n(&m->cells[up].up, __ATOMIC_RELAXED)) {
		if (up >= m->max_cells)
			break;
		add_to_part(&parts[up].part, &own);
	}
}

static int group_part_order(const struct group_part *p, const struct group_part *q)
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
	return group_part_order(&p->part, &q->part) ?: (p->cell > q->cell) - (p->cell < q->cell);
}

static void add_cell_both(const struct maps *m, struct numbered_part *parts, u32 cell)
{
	struct cell c = maps_cell(m, cell);

	if (!cell_is_both(&c) || c.span >= m->max_spans)
		return;
	/* If the bit GROUP_OTHER is set, the cell is for child cgroups without counters of their
	 * own. The bit is removed, so that their time counts for the group above them. */
	parts[cell].group = c.group & ~GROUP_OTHER;
	parts[cell].cell = cell;
	parts[cell].part = (struct group_part){
		.layer = LAYER_DEVICE,
		.dev = m->disks[c.disk].is.dev,
		.disk = c.disk,
		.op = OP_BOTH,
		.stacked = m->disks[c.disk].is.stacked,
		.span_ns = m->totals[c.span].ns,
	};
	parts[cell].shared_ns = m->shares[cell].read_ns;
	parts[cell].joint_ns = selected_joint_ns(m, cell);
}

/* Returns the parts that are not zero, ordered by group, layer, disk and operation. */
static struct parts all_parts(const struct maps *m)
{
	u32 n = maps_cells(m);
	struct parts parts = { .list = need(calloc(n + 1, sizeof(*parts.list))) };

	for (u32 i = 1; i < n; i++) {
		if (m->per_part)
			add_cell_part(m, parts.list, i);
		add_cell_both(m, parts.list, i);
	}
	qsort(parts.list, n, sizeof(*parts.list), part_order);
	for (u32 i = 0; i < n; i++) {
		const struct numbered_part *p = &parts.list[i];

		if (p->group && (p->part.accesses || p->part.span_ns))
			parts.list[parts.n++] = *p;
	}
	return parts;
}

/* Returns the increase of each part from the list @before to the list @now. The caller frees the
 * returned list. */
static struct parts parts_since(const struct parts *now, const struct parts *before)
{
	struct parts since = { .list = need(calloc(now->n + 1, sizeof(*since.list))) };
	const struct numbered_part *old = before->list, *end = old + before->n;

	for (u32 i = 0; i < now->n; i++) {
		struct numbered_part p = now->list[i];

		while (old < end && part_order(old, &p) < 0)
			old++;
		if (old < end && part_order(old, &p) == 0) {
			p.part.accesses -= old->part.accesses;
			p.part.bytes -= old->part.bytes;
			p.part.errors -= old->part.errors;
			p.part.latency_ns -= old->part.latency_ns;
			p.part.span_ns -= old->part.span_ns;
			p.shared_ns -= old->shared_ns;
			p.joint_ns -= old->joint_ns;
		}
		if (p.part.accesses || p.part.span_ns)
			since.list[since.n++] = p;
	}
	return since;
}

struct parts maps_parts(struct maps *m, bool cut)
{
	struct parts now = {}, since;

	if (!m->per_cgroup)
		return now;
	now = all_parts(m);
	if (!cut)
		return now;
	since = parts_since(&now, &m->parts_seen);
	free(m->parts_seen.list);
	m->parts_seen = now;
	return since;
}

void maps_forget_parts(struct maps *m, u32 group)
{
	for (u32 i = 0; i < m->parts_seen.n; i++) {
		struct group_part *p = &m->parts_seen.list[i].part;

		if (m->parts_seen.list[i].group != group)
			continue;
		*p = (struct group_part){ .layer = p->layer, .dev = p->dev, .op = p->op };
		m->parts_seen.list[i].shared_ns = 0;
		m->parts_seen.list[i].joint_ns = 0;
	}
}
