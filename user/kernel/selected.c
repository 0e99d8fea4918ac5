// SPDX-License-Identifier: GPL-2.0-or-later
/* Measures the joint time of each group on each disk. It is the time in which both the group and
 * the selected group have reads or writes in flight on the disk. A group is a cgroup or process
 * with counters of its own. A span measures the time in which at least one access is in flight. An
 * OP_BOTH cell stands for the reads and writes of one group on one disk, and has their span. */
#include "user/kernel/selected.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/kernel/group-states.h"

struct selected {
	u64 id;
	/* indexed by disk: index of the span of the selected group's reads and writes on the disk;
	 * 0: none */
	u32 spans[MAX_DISKS];
	/* Indexed by disk: number of samples until the joint times are valid. If the selected group
	 * gets another span on the disk, the number becomes 2, because BPF programs may still use
	 * the previous span. Each sample decrements it. */
	u8 fresh[MAX_DISKS];
	struct span_total *joint; /* joint time, indexed by OP_BOTH cell */
};

/* Finds the spans of the selected group, one per disk, and passes their indices to the BPF
 * programs. */
static void set_spans(struct maps *m)
{
	struct selected *s = m->selected;
	u32 spans[MAX_DISKS] = {};

	for (u32 i = 1; s->id && i < maps_cells(m); i++) {
		struct cell c = maps_cell(m, i);

		if (cell_is_both(&c) && !(c.group & GROUP_OTHER) && c.span < m->max_spans &&
		    group_id(m, c.group) == s->id)
			spans[c.disk] = c.span;
	}
	for (u32 i = 0; i < MAX_DISKS; i++) {
		if (spans[i] == s->spans[i]) {
			s->fresh[i] -= s->fresh[i] > 0;
			continue;
		}
		s->fresh[i] = 2;
		s->spans[i] = spans[i];
		__atomic_store_n(&m->spans[SPAN_DISK(i, DISK_RW)].selected, spans[i],
				 __ATOMIC_RELAXED);
	}
}

void selected_set(struct maps *m, u64 id)
{
	if (m->selected ? m->selected->id == id : !id)
		return;
	if (!m->selected) {
		m->selected = need(calloc(1, sizeof(*m->selected)));
		m->selected->joint = need(calloc(m->max_cells, sizeof(*m->selected->joint)));
	}
	m->selected->id = id;
	set_spans(m);
}

/* Adds to the joint time of cell @i its increase since the last sample. @c is a copy of the cell.
 * The spans of the cell's group and of the selected group are not read at the same instant. So the
 * joint time may seem to shrink; then nothing is added. */
static void sample(struct maps *m, u32 i, const struct cell *c, u64 now)
{
	struct selected *s = m->selected;
	const struct span *other = &m->spans[s->spans[c->disk]];
	u64 clock = span_time_ns(span_read(&other->word), now);
	u64 t = share_time_ns(span_read(&m->spans[c->span].joint), clock);
	s64 more = span_delta_ns(s->joint[i].last_ns, t);

	if (more > 0 && !s->fresh[c->disk])
		s->joint[i].ns += more;
	s->joint[i].last_ns = t;
}

void selected_sample(struct maps *m, u64 now)
{
	struct selected *s = m->selected;

	if (!s)
		return;
	set_spans(m);
	for (u32 i = 1; i < maps_cells(m); i++) {
		struct cell c = maps_cell(m, i);

		if (cell_is_both(&c) && c.span < m->max_spans && s->spans[c.disk])
			sample(m, i, &c, now);
	}
}

u64 selected_joint_ns(const struct maps *m, u32 cell)
{
	return m->selected ? m->selected->joint[cell].ns : 0;
}

void selected_forget(struct maps *m, u32 cell)
{
	if (m->selected)
		memset(&m->selected->joint[cell], 0, sizeof(m->selected->joint[cell]));
}

void selected_free(struct maps *m)
{
	if (!m->selected)
		return;
	free(m->selected->joint);
	free(m->selected);
}
