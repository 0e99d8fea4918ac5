// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the sums of each group, first without and then with its child groups. A group is a
 * cgroup or process with counters of its own. Its number is its index in the BPF maps. GROUP_TOP is
 * the command's cgroup. The accesses of a group are divided into sets (enum group_set): two for the
 * device layer, and two for the vfs layer (system calls). group_sum.device is the sum of the two
 * device sets. A group is active if it, or a group below it, had accesses or waited for I/O. */
#include "user/kernel/measure-groups.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/kernel/group-states.h"
#include "user/kernel/measure-parts.h"
#include "user/kernel/measure-shares.h"
#include "user/kernel/read-pressure.h"

struct lost_sum {
	u64 accesses, bytes;
};

struct reading {
	u32 n; /* highest group number, plus 1 */
	/* Indexed by GROUP_ROW(): number and bytes of the accesses with a lost completion (no BPF
	 * program saw it). struct row does not count these accesses. */
	struct lost_sum *lost;
	/* Sums at the end of the previous interval (interval.h), indexed by GROUP_ROW(). They are
	 * subtracted to get the sums of one interval. NULL: there are no intervals, so the sums are
	 * those of the whole measurement. */
	struct sum **seen;
	/* true: the group is active; indexed by group number */
	bool *active;
	/* Sums of the active groups, ordered by path, and two more elements. One of them is the sum
	 * of all cgroups without counters of their own. If per_process is true, the other is the
	 * sum of the command's cgroup, which the report then leaves out. */
	struct group_sum *sums;
	u32 sums_n;	/* number of active groups */
	u32 *sum_index; /* sum_index[g]: index in .sums of the active group g */
};

struct spans {
	u64 span_ns, wait_ns;
};

/* Returns two durations of @group. .span_ns is the time in which at least one read or write was
 * in flight. .wait_ns is the time in which at least one read, write or sync was in flight. For
 * SET_ALONE, .span_ns is for the whole device layer, and .wait_ns is 0. For SET_VFS, both are
 * for the vfs layer. For the other sets, both are 0. */
static struct spans spans_of(const struct maps *m, u32 group, enum group_set set)
{
	bool top = group == GROUP_TOP;
	u32 device = top ? SPAN_DEVICE : SPAN_GROUP(group);
	u32 vfs = top ? SPAN_VFS : SPAN_GROUP_VFS(m->max_groups, group);
	u32 wait = top ? SPAN_VFS_WAIT : SPAN_GROUP_WAIT(m->max_groups, group);

	if (set == SET_ALONE)
		return (struct spans){ m->totals[device].ns, 0 };
	if (set == SET_VFS)
		return (struct spans){ m->totals[vfs].ns, m->totals[wait].ns };
	return (struct spans){};
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
		enum group_set set = cell_group_set(c);
		u32 group = known_group(r->n, c->group & ~GROUP_OTHER);

		if (!c->lost || !c->group || !c->group_row)
			continue;
		add_lost(&r->lost[GROUP_ROW(m->max_groups, set, group)], c);
		if (c->group & GROUP_OTHER)
			add_lost(&r->lost[GROUP_ROW(m->max_groups, set, GROUP_NONE)], c);
	}
}

/* ---- Groups that had accesses ---- */

/* Returns true if @group had accesses of @set in the current interval (interval.h). If there are no
 * intervals, looks at the whole measurement. To save time, does not read the histogram. */
static bool set_is_active(const struct maps *m, const struct reading *r, u32 group,
			  enum group_set set)
{
	u32 i = GROUP_ROW(m->max_groups, set, group);
	const struct sum *seen = r->seen ? r->seen[i] : NULL;
	struct group_sum *retired = group_retired(m, group);
	struct spans now = spans_of(m, group, set);
	u64 accesses = r->lost[i].accesses;

	accesses += maps_accesses(m, m->row_groups + i);
	accesses += retired ? group_set(retired, set)->row.accesses : 0;
	return accesses != (seen ? seen->row.accesses : 0) ||
		now.span_ns != (seen ? seen->span_ns : 0) ||
		now.wait_ns != (seen ? seen->wait_ns : 0);
}

/* Returns true if @group had accesses, or its tasks waited for I/O, in the current interval
 * (interval.h). If there are no intervals, looks at the whole measurement. */
static bool is_active(const struct maps *m, const struct reading *r, u32 group)
{
	struct pressure waited = pressure_of_group(m, group);

	if (pressure_is_some(&waited))
		return true;
	for (enum group_set set = 0; set < maps_group_sets(m); set++)
		if (set_is_active(m, r, group, set))
			return true;
	return false;
}

static void mark_up(const struct maps *m, struct reading *r, u32 group)
{
	while (group != GROUP_NONE && !r->active[group]) {
		r->active[group] = true;
		group = known_group(r->n, m->groups[group].parent);
	}
}

static void find_active(const struct maps *m, struct reading *r, const struct parts *parts)
{
	for (u32 i = 0; i < parts->n; i++)
		if (parts->list[i].group < r->n && group_id(m, parts->list[i].group))
			mark_up(m, r, parts->list[i].group);
	for (u32 i = GROUP_TOP; i < r->n; i++)
		if (group_id(m, i) && is_active(m, r, i))
			mark_up(m, r, i);
}

struct named_group {
	char *path;
	u64 id, born_ns;
	u32 number;
};

/* Orders groups by path, id and time. The path is not enough: a cgroup may be removed and made
 * again, with another id. Path and id are not enough either: a removed cgroup gets a second group
 * if it has accesses after iospan has freed the first (retire.h). */
static int named_group_order(const void *a, const void *b)
{
	const struct named_group *x = a, *y = b;

	return group_path_order(x->path, y->path) ?:
		(x->id > y->id) - (x->id < y->id) ?:
		(x->born_ns > y->born_ns) - (x->born_ns < y->born_ns);
}

/* Makes r->sums, ordered by path. With per_process, the command's cgroup is not reported, and its
 * sums are in the last element. */
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
		r->sums[i].pressure = pressure_of_group(m, list[i].number);
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

	for (enum group_set set = 0; m->groups_seen && set < GROUP_SETS; set++) {
		struct sum **seen = &m->groups_seen[GROUP_ROW(m->max_groups, set, group)];
		u32 to = GROUP_ROW(m->max_groups, set, above);

		if (*seen)
			sum_add_row(seen_at(&m->groups_seen[to]), &(*seen)->row);
		free(*seen);
		*seen = NULL;
	}
	maps_forget_parts(m, group);
}

/* @s is a sum since the start of the measurement. Makes it the sum of the current interval
 * (interval.h), by subtracting *@seen, the sum at the end of the previous interval; NULL: zero. For
 * the next interval, sets *@seen to the old value of @s. */
static void subtract_seen(struct sum *s, struct sum **seen)
{
	if (*seen)
		sum_take_away(s, *seen);
	sum_add_row(seen_at(seen), &s->row);
	(*seen)->span_ns += s->span_ns;
	(*seen)->wait_ns += s->wait_ns;
}

/* Reads the sums of @group. They include its retired child groups, which no longer have sums of
 * their own (retire.h). They do not include its other child groups. */
static void read_own(const struct maps *m, struct reading *r, u32 group, enum group_set set,
		     u64 elapsed_ns, struct sum *to)
{
	struct group_sum *retired = group_retired(m, group);
	struct spans now = spans_of(m, group, set);
	u32 i = GROUP_ROW(m->max_groups, set, group);

	to->elapsed_ns = elapsed_ns;
	if (set == SET_ALONE || set == SET_VFS)
		sum_set_span(to, now.span_ns, elapsed_ns);
	if (set == SET_VFS)
		sum_set_wait(to, now.wait_ns);
	if (set >= maps_group_sets(m))
		return;
	maps_add_row(m, m->row_groups + i, to);
	to->row.accesses += r->lost[i].accesses;
	to->row.bytes += r->lost[i].bytes;
	if (retired)
		sum_add_row(to, &group_set(retired, set)->row);
	if (r->seen)
		subtract_seen(to, &r->seen[i]);
}

static struct group_sum *sum_of(const struct reading *r, u32 group)
{
	return &r->sums[r->sum_index[known_group(r->n, group)]];
}

static void read_active(const struct maps *m, struct reading *r, u64 elapsed_ns)
{
	for (u32 i = GROUP_NONE; i < r->n; i++) {
		if (i != GROUP_NONE && !r->active[i])
			continue;
		for (enum group_set set = 0; set < GROUP_SETS; set++)
			read_own(m, r, i, set, elapsed_ns, group_set(sum_of(r, i), set));
		sum_add_row(&sum_of(r, i)->device, &sum_of(r, i)->shared.row);
	}
}

static void add_up_level(const struct maps *m, struct reading *r, u32 level)
{
	for (u32 i = GROUP_TOP + 1; i < r->n; i++) {
		struct group_sum *g = sum_of(r, i), *above = sum_of(r, m->groups[i].parent);

		if (!r->active[i] || m->groups[i].level != level)
			continue;
		for (enum group_set set = 0; set < GROUP_SETS; set++)
			sum_add_row(group_set(above, set), &group_set(g, set)->row);
	}
}

static void assign_parts(const struct reading *r, const struct parts *parts, struct measurement *to)
{
	u32 n = 0;

	to->parts = need(calloc(parts->n + 1, sizeof(*to->parts)));
	for (u32 i = 0; i < parts->n; i++) {
		u32 group = parts->list[i].group;
		struct group_sum *g = sum_of(r, group);

		if (group >= r->n || !r->active[group] || parts->list[i].part.op == OP_BOTH)
			continue;
		if (!g->parts_n++)
			g->parts = &to->parts[n];
		to->parts[n++] = parts->list[i].part;
	}
}

static void measure_shares(const struct maps *m, const struct reading *r, const struct parts *parts,
			   struct measurement *to)
{
	struct read_groups groups = { need(calloc(r->n, sizeof(*groups.sums))), r->n, r->seen };

	for (u32 i = GROUP_NONE; i < r->n; i++)
		groups.sums[i] = r->active[i] ? sum_of(r, i) : NULL;
	maps_measure_shares(m, parts, &groups, to);
	free(groups.sums);
}

static struct sum **seen_so_far(struct maps *m)
{
	if (!m->groups_seen)
		m->groups_seen =
			need(calloc(GROUP_SETS * GROUPS_OF(m->max_groups), sizeof(struct sum *)));
	return m->groups_seen;
}

void maps_measure_groups(struct maps *m, bool cut, struct measurement *to)
{
	struct reading r = { .n = maps_groups(m), .seen = cut ? seen_so_far(m) : NULL };
	struct parts parts;

	if (!r.n)
		return;
	r.lost = need(calloc(GROUP_SETS * GROUPS_OF(m->max_groups), sizeof(*r.lost)));
	r.active = need(calloc(r.n, sizeof(*r.active)));
	r.sum_index = need(calloc(r.n, sizeof(*r.sum_index)));
	parts = maps_parts(m, cut);
	find_lost(m, &r);
	find_active(m, &r, &parts);
	make_sums(m, &r);
	read_active(m, &r, to->elapsed_ns);
	/* The deepest level comes first, so that the sum of a group is complete before it is added
	 * to the parent. */
	for (u32 level = GROUP_LEVELS; level; level--)
		add_up_level(m, &r, level);
	assign_parts(&r, &parts, to);
	measure_shares(m, &r, &parts, to);
	to->groups = r.sums;
	to->groups_n = r.sums_n;
	to->others = r.sums[r.sums_n];
	free(r.lost);
	free(r.active);
	free(r.sum_index);
	free(parts.list);
}
