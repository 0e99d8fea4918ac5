// SPDX-License-Identifier: GPL-2.0-or-later
/* The groups that the kernel programs met, each with all those below it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/kernel/maps.h"
#include "user/kernel/measure-parts.h"
#include "user/kernel/measure-groups.h"
#include "user/kernel/measure.h"
#include "user/kernel/retire.h"

/* Accesses that are in no row. */
struct lost {
	u64 accesses, bytes;
};

/* Those groups that did something, and those above them. At either layer each has a place, for
 * its row and its span. */
struct numbered {
	u32 n;			/* numbers */
	struct lost *lost;	/* by place */
	struct sum **seen;	/* by place, what is left out; NULL: nothing is */
	bool *some;		/* by number */
	struct group_sum *sums; /* in order; then of all without a row, and a spare one */
	u32 sums_n;
	u32 *at; /* by number, if it did something: where in sums */
};

static u32 place_of(const struct maps *m, u32 group, enum layer layer)
{
	return (layer == LAYER_VFS ? GROUPS_OF(m->max_groups) : 0) + group;
}

static u64 span_ns_of(const struct maps *m, u32 group, enum layer layer)
{
	if (group == GROUP_TOP)
		return m->totals[layer == LAYER_VFS ? SPAN_VFS : SPAN_DEVICE].ns;
	return m->totals[SPAN_GROUP(place_of(m, group, layer))].ns;
}

/* One whose number nobody knows yet counts in the command's own. */
static u32 number_of(const struct numbered *all, u32 group)
{
	return group < all->n ? group : GROUP_TOP;
}

static void add_lost(struct lost *to, const struct cell *c)
{
	to->accesses += c->lost;
	to->bytes += c->lost_bytes;
}

static void find_lost(const struct maps *m, struct numbered *all)
{
	for (u32 i = 1; i < maps_cells(m); i++) {
		const struct cell *c = &m->cells[i];
		enum layer layer = c->disk == PLACE_VFS ? LAYER_VFS : LAYER_DEVICE;
		u32 group = number_of(all, c->group & ~GROUP_OTHER);

		if (!c->lost || !c->group || !c->group_row)
			continue;
		add_lost(&all->lost[place_of(m, group, layer)], c);
		if (c->group & GROUP_OTHER)
			add_lost(&all->lost[place_of(m, GROUP_NONE, layer)], c);
	}
}

/* ---- which did something? Most have not: only one line of each row is read ---- */

static u32 row_of(const struct maps *m, u32 place)
{
	return m->row_groups + place;
}

static bool did_something(const struct maps *m, const struct numbered *all, u32 group,
			  enum layer layer)
{
	u32 place = place_of(m, group, layer);
	const struct sum *seen = all->seen ? all->seen[place] : NULL;
	const struct group_sum *below = retire_below(m, group);
	u64 accesses = all->lost[place].accesses;

	if (layer == LAYER_VFS && !m->vfs_groups)
		return false;
	accesses += maps_accesses(m, row_of(m, place));
	accesses += below ? group_layer(below, layer)->row.accesses : 0;
	return accesses != (seen ? seen->row.accesses : 0) ||
		span_ns_of(m, group, layer) != (seen ? seen->span_ns : 0);
}

static void mark_up(const struct maps *m, struct numbered *all, u32 group)
{
	while (group != GROUP_NONE && !all->some[group]) {
		all->some[group] = true;
		group = number_of(all, m->groups[group].parent);
	}
}

static void find_some(const struct maps *m, struct numbered *all, const struct parts *parts)
{
	for (u32 i = 0; i < parts->n; i++)
		if (parts->list[i].group < all->n && retire_id(m, parts->list[i].group))
			mark_up(m, all, parts->list[i].group);
	for (u32 i = GROUP_TOP; i < all->n; i++)
		if (retire_id(m, i) &&
		    (did_something(m, all, i, LAYER_DEVICE) || did_something(m, all, i, LAYER_VFS)))
			mark_up(m, all, i);
}

char *maps_group_path(const struct maps *m, u32 group)
{
	char *path;

	if (m->per_process)
		return need_text("%s[%u]", m->groups[group].name,
				 group_process(retire_id(m, group)));
	path = need(strdup(group == GROUP_TOP ? "/" : ""));
	while (group > GROUP_TOP && group <= m->max_groups) {
		char *below = path;

		path = need_text("/%s%s", m->groups[group].name, below);
		free(below);
		group = m->groups[group].parent;
	}
	return path;
}

/* ---- in the order of their paths ---- */

struct known {
	char *path;
	u64 id, born_ns;
	u32 number;
};

/* One that was made again has another id, or came later. */
static int by_path(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	return group_path_order(x->path, y->path) ?:
		(x->id > y->id) - (x->id < y->id) ?:
		(x->born_ns > y->born_ns) - (x->born_ns < y->born_ns);
}

/* By process, the command's own group is none. Where it has no place, what is added to it goes to
 * the spare one, which nobody looks at. */
static void name_some(const struct maps *m, struct numbered *all)
{
	struct known *list = need(calloc(all->n, sizeof(*list)));

	for (u32 i = GROUP_TOP + m->per_process; i < all->n; i++)
		if (all->some[i])
			list[all->sums_n++] = (struct known){ maps_group_path(m, i),
							      retire_id(m, i), m->groups[i].born_ns,
							      i };
	qsort(list, all->sums_n, sizeof(*list), by_path);
	all->sums = need(calloc(all->sums_n + 2, sizeof(*all->sums)));
	all->at[GROUP_NONE] = all->sums_n;
	all->at[GROUP_TOP] = all->sums_n + 1;
	for (u32 i = 0; i < all->sums_n; i++) {
		all->sums[i].path = list[i].path;
		all->sums[i].id = list[i].id;
		all->sums[i].born_ns = list[i].born_ns;
		all->sums[i].removed = retire_is_gone(m, list[i].number);
		all->at[list[i].number] = i;
	}
	free(list);
}

/* ---- what they did ---- */

static struct sum *seen_at(struct sum **seen)
{
	if (!*seen)
		*seen = need(calloc(1, sizeof(**seen)));
	return *seen;
}

/* What was seen of a group that gives its number back is of the one above now, as what it did
 * is. */
void maps_forget_group(struct maps *m, u32 group)
{
	u32 above = m->groups[group].parent;

	for (int layer = LAYER_VFS; m->groups_seen && layer < LAYERS; layer++) {
		struct sum **seen = &m->groups_seen[place_of(m, group, layer)];

		if (*seen)
			sum_add_row(seen_at(&m->groups_seen[place_of(m, above, layer)]),
				    &(*seen)->row);
		free(*seen);
		*seen = NULL;
	}
	maps_forget_parts(m, group);
}

static void leave_out_seen(struct sum *s, struct sum **seen)
{
	if (*seen)
		sum_take_away(s, *seen);
	sum_add_row(seen_at(seen), &s->row);
	(*seen)->span_ns += s->span_ns;
}

/* Its own part, and that of those who have been below it. */
static void read_own(const struct maps *m, struct numbered *all, u32 group, enum layer layer,
		     u64 elapsed_ns, struct sum *to)
{
	const struct group_sum *below = retire_below(m, group);
	u32 place = place_of(m, group, layer);

	sum_set_span(to, span_ns_of(m, group, layer), elapsed_ns);
	if (layer == LAYER_VFS && !m->vfs_groups)
		return;
	maps_add_row(m, row_of(m, place), to);
	to->row.accesses += all->lost[place].accesses;
	to->row.bytes += all->lost[place].bytes;
	if (below)
		sum_add_row(to, &group_layer(below, layer)->row);
	if (all->seen)
		leave_out_seen(to, &all->seen[place]);
}

static struct group_sum *sum_of(const struct numbered *all, u32 group)
{
	return &all->sums[all->at[number_of(all, group)]];
}

static void read_some(const struct maps *m, struct numbered *all, u64 elapsed_ns)
{
	for (u32 i = GROUP_NONE; i < all->n; i++) {
		if (i != GROUP_NONE && !all->some[i])
			continue;
		read_own(m, all, i, LAYER_DEVICE, elapsed_ns, &sum_of(all, i)->device);
		read_own(m, all, i, LAYER_VFS, elapsed_ns, &sum_of(all, i)->vfs);
	}
}

static void add_up_level(const struct maps *m, struct numbered *all, u32 level)
{
	for (u32 i = GROUP_TOP + 1; i < all->n; i++) {
		const struct group_sum *g = sum_of(all, i);
		struct group_sum *above = sum_of(all, m->groups[i].parent);

		if (!all->some[i] || m->groups[i].level != level)
			continue;
		sum_add_row(&above->device, &g->device.row);
		sum_add_row(&above->vfs, &g->vfs.row);
	}
}

/* The lowest first: what a group has then is all of it. */
static void add_up(const struct maps *m, struct numbered *all)
{
	for (u32 level = GROUP_LEVELS; level; level--)
		add_up_level(m, all, level);
}

static void give_parts(const struct numbered *all, const struct parts *parts,
		       struct measurement *to)
{
	to->parts = need(calloc(parts->n + 1, sizeof(*to->parts)));
	for (u32 i = 0; i < parts->n; i++) {
		u32 group = parts->list[i].group;
		struct group_sum *g = sum_of(all, group);

		if (group >= all->n || !all->some[group])
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
	struct numbered all = { .n = maps_groups(m), .seen = cut ? seen_so_far(m) : NULL };
	struct parts parts;

	if (!all.n)
		return;
	all.lost = need(calloc(2 * GROUPS_OF(m->max_groups), sizeof(*all.lost)));
	all.some = need(calloc(all.n, sizeof(*all.some)));
	all.at = need(calloc(all.n, sizeof(*all.at)));
	parts = maps_parts(m, cut);
	find_lost(m, &all);
	find_some(m, &all, &parts);
	name_some(m, &all);
	read_some(m, &all, to->elapsed_ns);
	add_up(m, &all);
	give_parts(&all, &parts, to);
	to->groups = all.sums;
	to->groups_n = all.sums_n;
	to->others = all.sums[all.sums_n];
	free(all.lost);
	free(all.some);
	free(all.at);
	free(parts.list);
}
