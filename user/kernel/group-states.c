// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/kernel/group-states.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"

struct group_states *group_states_new(const struct maps *m)
{
	struct group_states *s = need(calloc(1, sizeof(*s)));

	s->n = GROUPS_OF(m->max_groups);
	s->list = need(calloc(s->n, sizeof(*s->list)));
	s->retired_cells = need(calloc(m->max_cells, sizeof(*s->retired_cells)));
	return s;
}

void group_states_free(struct group_states *s)
{
	if (!s)
		return;
	for (u32 i = 0; i < s->n; i++)
		free(s->list[i].retired);
	free(s->list);
	free(s->retired_cells);
	free(s);
}

u64 group_id(const struct maps *m, u32 number)
{
	u64 id = __atomic_load_n(&m->groups[number].id, __ATOMIC_ACQUIRE);

	return id || !m->states ? id : m->states->list[number].id;
}

char *group_path(const struct maps *m, u32 number)
{
	char *path;

	if (m->per_process)
		return need_text("%s[%u]", m->groups[number].name,
				 group_process(group_id(m, number)));
	path = need(strdup(number == GROUP_TOP ? "/" : ""));
	while (number > GROUP_TOP && number <= m->max_groups) {
		char *below = path;

		path = need_text("/%s%s", m->groups[number].name, below);
		free(below);
		number = m->groups[number].parent;
	}
	return path;
}

bool group_was_removed(const struct maps *m, u32 number)
{
	enum group_phase phase = m->states ? m->states->list[number].phase : PHASE_IN_USE;

	return phase > PHASE_IN_USE && phase < PHASE_FREE;
}

struct group_sum *group_retired(const struct maps *m, u32 number)
{
	return m->states ? m->states->list[number].retired : NULL;
}

const struct cell_counts *group_retired_cells(const struct maps *m, u32 cell)
{
	return m->states ? &m->states->retired_cells[cell] : NULL;
}

void group_add_retired_lost(const struct maps *m, u32 disk, u32 op, struct sum *to)
{
	const struct cell_counts *lost;

	if (!m->states || disk >= MAX_DISKS || op >= DEVICE_OPS)
		return;
	lost = &m->states->retired_lost[disk][op];
	to->row.accesses += lost->accesses;
	to->row.bytes += lost->bytes;
}
