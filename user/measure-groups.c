// SPDX-License-Identifier: GPL-2.0-or-later
/* The groups that the kernel programs met, each with all those below it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "maps.h"
#include "retire.h"

/* The groups as they are numbered. A group's number is greater than that of the one above. */
struct numbered {
	struct group_sum *sums;
	u32 n;
};

static struct group_sum *sum_of(struct numbered *all, u32 number)
{
	return number < all->n ? &all->sums[number] : &all->sums[GROUP_TOP];
}

static void add_lost(struct group_sum *g, const struct cell *c)
{
	struct sum *to = c->disk == PLACE_VFS ? &g->vfs : &g->device;

	to->row.accesses += c->lost;
	to->row.bytes += c->lost_bytes;
}

static void add_retired(struct group_sum *to, const struct group_sum *below)
{
	if (!below)
		return;
	sum_add_row(&to->device, &below->device.row);
	sum_add_row(&to->vfs, &below->vfs.row);
}

/* Each group's own part and that of those who have been below it, without T. */
static void add_own(struct maps *m, struct numbered *all)
{
	for (u32 i = 0; i < all->n; i++) {
		maps_add_row(m, m->row_groups + i, &all->sums[i].device);
		if (m->vfs_groups)
			maps_add_row(m, m->row_groups + GROUPS_OF(m->max_groups) + i,
				     &all->sums[i].vfs);
		add_retired(&all->sums[i], retire_below(m, i));
	}
	for (u32 i = 1; i < maps_cells(m); i++) {
		const struct cell *c = &m->cells[i];

		if (!c->group || !c->group_row)
			continue;
		add_lost(sum_of(all, c->group & ~GROUP_OTHER), c);
		if (c->group & GROUP_OTHER)
			add_lost(&all->sums[GROUP_NONE], c);
	}
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

static void name_all(const struct maps *m, struct numbered *all, u64 elapsed_ns)
{
	for (u32 i = 0; i < all->n; i++) {
		struct group_sum *g = &all->sums[i];

		u32 vfs = GROUPS_OF(m->max_groups) + i;
		bool top = i == GROUP_TOP;

		g->id = retire_id(m, i);
		g->born_ns = m->groups[i].born_ns;
		sum_set_span(&g->device, m->total_ns[top ? SPAN_DEVICE : SPAN_GROUP(i)],
			     elapsed_ns);
		sum_set_span(&g->vfs, m->total_ns[top ? SPAN_VFS : SPAN_GROUP(vfs)], elapsed_ns);
		if (i != GROUP_NONE && g->id)
			g->path = maps_group_path(m, i);
	}
}

static void add_up_level(const struct maps *m, struct numbered *all, u32 level)
{
	for (u32 i = GROUP_TOP + 1; i < all->n; i++) {
		struct group_sum *g = &all->sums[i], *above;

		if (!g->id || m->groups[i].level != level)
			continue;
		above = sum_of(all, m->groups[i].parent);
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

const struct sum *group_layer(const struct group_sum *g, enum layer layer)
{
	return layer == LAYER_VFS ? &g->vfs : layer == LAYER_DEVICE ? &g->device : NULL;
}

/* The end of a path comes first, then what is below it, then all else. */
static int rank_of(unsigned char c)
{
	return c == '/' ? 1 : c ? c + 1 : 0;
}

/* A group's path comes right before those below it; one that was made again has another id. */
int group_order(const void *a, const void *b)
{
	const struct group_sum *g = a, *h = b;
	const unsigned char *x = (const void *)g->path, *y = (const void *)h->path;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	if (*x != *y)
		return rank_of(*x) - rank_of(*y);
	if (g->id != h->id)
		return g->id < h->id ? -1 : 1;
	return (g->born_ns > h->born_ns) - (g->born_ns < h->born_ns);
}

/* All processes together are none. */
static bool is_shown(const struct maps *m, u32 number, const struct group_sum *g)
{
	return g->id && !(m->per_process && number == GROUP_TOP) &&
	       (g->device.row.accesses || g->device.span_ns || g->vfs.row.accesses ||
		g->vfs.span_ns || g->parts_n);
}

/* Keeps those that did something, in order. */
static void sort(const struct maps *m, struct numbered *all, struct measurement *to)
{
	to->others = all->sums[GROUP_NONE];
	to->groups = all->sums;
	for (u32 i = GROUP_TOP; i < all->n; i++) {
		struct group_sum *g = &all->sums[i];

		if (is_shown(m, i, g))
			to->groups[to->groups_n++] = *g;
		else
			free(g->path);
	}
	qsort(to->groups, to->groups_n, sizeof(*to->groups), group_order);
}

void maps_measure_groups(struct maps *m, struct measurement *to)
{
	struct numbered all = { .n = maps_groups(m) };

	if (!all.n)
		return;
	all.sums = need(calloc(all.n, sizeof(*all.sums)));
	name_all(m, &all, to->elapsed_ns);
	add_own(m, &all);
	add_up(m, &all);
	if (m->per_part)
		maps_measure_parts(m, all.sums, all.n, to);
	sort(m, &all, to);
}
