// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/kernel/measure-groups.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/kernel/group-states.h"
#include "user/kernel/measure-parts.h"

struct lost_sum {
	u64 accesses, bytes;
};

struct reading {
	u32 n; /* one more than the highest group number */
	/* by group_index(): lost accesses, which only struct cell counts */
	struct lost_sum *lost;
	/* by group_index(): sums at the last cut (interval.h); NULL: this is no cut */
	struct sum **seen;
	/* by group number: the group or one below it had accesses */
	bool *active;
	/* sums of active groups by path; then of all cgroups without own counters, and of the
	 * command's cgroup if it is not reported (per_process) */
	struct group_sum *sums;
	u32 sums_n;	/* number of active groups */
	u32 *sum_index; /* by group number: index of an active group in @sums */
};

/* Returns an index in arrays with the device layer's groups first, then those of the vfs layer. */
static u32 group_index(const struct maps *m, u32 group, enum layer layer)
{
	return (layer == LAYER_VFS ? GROUPS_OF(m->max_groups) : 0) + group;
}

static u64 span_ns_of(const struct maps *m, u32 group, enum layer layer)
{
	if (group == GROUP_TOP)
		return m->totals[layer == LAYER_VFS ? SPAN_VFS : SPAN_DEVICE].ns;
	return m->totals[SPAN_GROUP(group_index(m, group, layer))].ns;
}

/* Returns @group; GROUP_TOP if it is newer than this measurement's start. */
static u32 known_group(const struct reading *r, u32 group)
{
	return group < r->n ? group : GROUP_TOP;
}

static void add_lost(struct lost_sum *to, const struct cell *c)
{
	to->accesses += c->lost;
	to->bytes += c->lost_bytes;
}

static void find_lost(const struct maps *m, struct reading *r)
{
	for (u32 i = 1; i < maps_cells(m); i++) {
		const struct cell *c = &m->cells[i];
		enum layer layer = c->disk == DISK_VFS ? LAYER_VFS : LAYER_DEVICE;
		u32 group = known_group(r, c->group & ~GROUP_OTHER);

		if (!c->lost || !c->group || !c->group_row)
			continue;
		add_lost(&r->lost[group_index(m, group, layer)], c);
		if (c->group & GROUP_OTHER)
			add_lost(&r->lost[group_index(m, GROUP_NONE, layer)], c);
	}
}

/* Returns true if @group had accesses at @layer since the last cut. Does not read the histogram,
 * because most groups are idle. */
static bool is_active(const struct maps *m, const struct reading *r, u32 group, enum layer layer)
{
	u32 i = group_index(m, group, layer);
	const struct sum *seen = r->seen ? r->seen[i] : NULL;
	const struct group_sum *retired = group_retired(m, group);
	u64 accesses = r->lost[i].accesses;

	if (layer == LAYER_VFS && !m->vfs_groups)
		return false;
	accesses += maps_accesses(m, m->row_groups + i);
	accesses += retired ? group_layer(retired, layer)->row.accesses : 0;
	return accesses != (seen ? seen->row.accesses : 0) ||
		span_ns_of(m, group, layer) != (seen ? seen->span_ns : 0);
}

static void mark_up(const struct maps *m, struct reading *r, u32 group)
{
	while (group != GROUP_NONE && !r->active[group]) {
		r->active[group] = true;
		group = known_group(r, m->groups[group].parent);
	}
}

static void find_active(const struct maps *m, struct reading *r, const struct parts *parts)
{
	for (u32 i = 0; i < parts->n; i++)
		if (parts->list[i].group < r->n && group_id(m, parts->list[i].group))
			mark_up(m, r, parts->list[i].group);
	for (u32 i = GROUP_TOP; i < r->n; i++)
		if (group_id(m, i) &&
		    (is_active(m, r, i, LAYER_DEVICE) || is_active(m, r, i, LAYER_VFS)))
			mark_up(m, r, i);
}

struct named_group {
	char *path;
	u64 id, born_ns;
	u32 number;
};

/* By path, id and time: a cgroup may be made again, or have had two groups (retire.h). */
static int named_group_order(const void *a, const void *b)
{
	const struct named_group *x = a, *y = b;

	return group_path_order(x->path, y->path) ?:
		(x->id > y->id) - (x->id < y->id) ?:
		(x->born_ns > y->born_ns) - (x->born_ns < y->born_ns);
}

/* Makes r->sums, ordered by path. With per_process, the command's cgroup is the last entry. */
static void make_sums(const struct maps *m, struct reading *r)
{
	struct named_group *list = need(calloc(r->n, sizeof(*list)));

	for (u32 i = GROUP_TOP + m->per_process; i < r->n; i++)
		if (r->active[i])
			list[r->sums_n++] = (struct named_group){ group_path(m, i), group_id(m, i),
								  m->groups[i].born_ns, i };
	qsort(list, r->sums_n, sizeof(*list), named_group_order);
	r->sums = need(calloc(r->sums_n + 2, sizeof(*r->sums)));
	r->sum_index[GROUP_NONE] = r->sums_n;
	r->sum_index[GROUP_TOP] = r->sums_n + 1;
	for (u32 i = 0; i < r->sums_n; i++) {
		r->sums[i].path = list[i].path;
		r->sums[i].id = list[i].id;
		r->sums[i].born_ns = list[i].born_ns;
		r->sums[i].removed = group_was_removed(m, list[i].number);
		r->sum_index[list[i].number] = i;
	}
	free(list);
}

static struct sum *seen_at(struct sum **seen)
{
	if (!*seen)
		*seen = need(calloc(1, sizeof(**seen)));
	return *seen;
}

void maps_forget_group(struct maps *m, u32 group)
{
	u32 above = m->groups[group].parent;

	for (int layer = LAYER_VFS; m->groups_seen && layer < LAYERS; layer++) {
		struct sum **seen = &m->groups_seen[group_index(m, group, layer)];

		if (*seen)
			sum_add_row(seen_at(&m->groups_seen[group_index(m, above, layer)]),
				    &(*seen)->row);
		free(*seen);
		*seen = NULL;
	}
	maps_forget_parts(m, group);
}

/* Reduces @s to the accesses since the last cut, and updates *@seen. */
static void subtract_seen(struct sum *s, struct sum **seen)
{
	if (*seen)
		sum_take_away(s, *seen);
	sum_add_row(seen_at(seen), &s->row);
	(*seen)->span_ns += s->span_ns;
}

/* Reads the sums of @group itself and of retired groups below it (retire.h). */
static void read_own(const struct maps *m, struct reading *r, u32 group, enum layer layer,
		     u64 elapsed_ns, struct sum *to)
{
	const struct group_sum *retired = group_retired(m, group);
	u32 i = group_index(m, group, layer);

	sum_set_span(to, span_ns_of(m, group, layer), elapsed_ns);
	if (layer == LAYER_VFS && !m->vfs_groups)
		return;
	maps_add_row(m, m->row_groups + i, to);
	to->row.accesses += r->lost[i].accesses;
	to->row.bytes += r->lost[i].bytes;
	if (retired)
		sum_add_row(to, &group_layer(retired, layer)->row);
	if (r->seen)
		subtract_seen(to, &r->seen[i]);
}

static struct group_sum *sum_of(const struct reading *r, u32 group)
{
	return &r->sums[r->sum_index[known_group(r, group)]];
}

static void read_active(const struct maps *m, struct reading *r, u64 elapsed_ns)
{
	for (u32 i = GROUP_NONE; i < r->n; i++) {
		if (i != GROUP_NONE && !r->active[i])
			continue;
		read_own(m, r, i, LAYER_DEVICE, elapsed_ns, &sum_of(r, i)->device);
		read_own(m, r, i, LAYER_VFS, elapsed_ns, &sum_of(r, i)->vfs);
	}
}

static void add_up_level(const struct maps *m, struct reading *r, u32 level)
{
	for (u32 i = GROUP_TOP + 1; i < r->n; i++) {
		const struct group_sum *g = sum_of(r, i);
		struct group_sum *above = sum_of(r, m->groups[i].parent);

		if (!r->active[i] || m->groups[i].level != level)
			continue;
		sum_add_row(&above->device, &g->device.row);
		sum_add_row(&above->vfs, &g->vfs.row);
	}
}

static void assign_parts(const struct reading *r, const struct parts *parts, struct measurement *to)
{
	to->parts = need(calloc(parts->n + 1, sizeof(*to->parts)));
	for (u32 i = 0; i < parts->n; i++) {
		u32 group = parts->list[i].group;
		struct group_sum *g = sum_of(r, group);

		if (group >= r->n || !r->active[group])
			continue;
		if (!g->parts_n++)
			g->parts = &to->parts[i];
		to->parts[i] = parts->list[i].part;
	}
}

static struct sum **seen_so_far(struct maps *m)
{
	if (!m->groups_seen)
		m->groups_seen = need(calloc(2 * GROUPS_OF(m->max_groups), sizeof(struct sum *)));
	return m->groups_seen;
}

void maps_measure_groups(struct maps *m, bool cut, struct measurement *to)
{
	struct reading r = { .n = maps_groups(m), .seen = cut ? seen_so_far(m) : NULL };
	struct parts parts;

	if (!r.n)
		return;
	r.lost = need(calloc(2 * GROUPS_OF(m->max_groups), sizeof(*r.lost)));
	r.active = need(calloc(r.n, sizeof(*r.active)));
	r.sum_index = need(calloc(r.n, sizeof(*r.sum_index)));
	parts = maps_parts(m, cut);
	find_lost(m, &r);
	find_active(m, &r, &parts);
	make_sums(m, &r);
	read_active(m, &r, to->elapsed_ns);
	/* the deepest level first: a parent includes the complete sums of its children */
	for (u32 level = GROUP_LEVELS; level; level--)
		add_up_level(m, &r, level);
	assign_parts(&r, &parts, to);
	to->groups = r.sums;
	to->groups_n = r.sums_n;
	to->others = r.sums[r.sums_n];
	free(r.lost);
	free(r.active);
	free(r.sum_index);
	free(parts.list);
}
