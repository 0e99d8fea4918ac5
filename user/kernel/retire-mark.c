// SPDX-License-Identifier: GPL-2.0-or-later
/* Which groups still have something in flight or waiting, or a group below them. */
#include "user/kernel/maps.h"
#include "user/kernel/retire-mark.h"

/* A request that waited longer for its disk does not come any more. */
#define WAITS_NS 60000000000ULL

static void mark_groups(struct maps *m)
{
	for (u32 i = GROUP_TOP + 1; i < maps_groups(m); i++) {
		struct seat *s = &m->retire->seats[i];
		u32 parent = m->groups[i].parent;

		if (s->state == FREE && m->groups[i].id)
			*s = (struct seat){ .state = IN_USE };
		if (span_count(m->spans[SPAN_GROUP(i)].word) ||
		    span_count(m->spans[SPAN_GROUP(GROUPS_OF(m->max_groups)) + i].word))
			s->busy = true;
		if (retire_id(m, i) && s->state != FREE && parent < m->retire->seats_n)
			m->retire->seats[parent].busy = true;
	}
}

static void mark_cells(struct maps *m)
{
	for (u32 i = 1; i < maps_cells(m); i++) {
		struct cell c = maps_cell(m, i);

		for (u32 leaf = 0; c.group && leaf < m->leaves + m->per_part; leaf++)
			if (span_count(m->spans[c.span + leaf].word))
				retire_seat(m, c.group)->busy = true;
	}
}

static void mark_slots(struct maps *m, u64 now)
{
	for (u32 i = 0; i < maps_slots(m); i++) {
		struct slot s;

		maps_copy(&s, &m->slots[i], sizeof(s));
		if (s.start_ns || s.flags & SLOT_REQUEUED)
			retire_seat(m, m->cells[s.cell < m->max_cells ? s.cell : 0].group)->busy =
				true;
		if (s.queued_at_ns && now - s.queued_at_ns < WAITS_NS)
			retire_seat(m, s.owner)->busy = true;
	}
}

void retire_mark(struct maps *m, u64 now, bool some)
{
	for (u32 i = 0; i < m->retire->seats_n; i++)
		m->retire->seats[i].busy = false;
	mark_groups(m);
	if (!some)
		return;
	mark_cells(m);
	mark_slots(m, now);
}
