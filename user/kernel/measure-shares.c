// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes for how long groups share disks. A group is a cgroup or process with counters of its
 * own. It uses a disk while it has a read or write in flight on it. A share (struct disk_share) has
 * two durations for one group and disk: the time in which the group used the disk, and the part of
 * this time in which other groups also used it. */
#include "user/kernel/measure-shares.h"

#include <stdlib.h>

#include "user/base/err.h"
#include "user/kernel/group-states.h"

struct numbered_share {
	struct disk_share share;
	u32 group;
};

static int share_order(const void *a, const void *b)
{
	const struct numbered_share *x = a, *y = b;

	return (x->group > y->group) - (x->group < y->group)		      ?:
		(x->share.dev > y->share.dev) - (x->share.dev < y->share.dev) ?:
		(x->share.disk > y->share.disk) - (x->share.disk < y->share.disk);
}

/* Adds the times of @part to @list: as one share for the group of @part, and as one share for each
 * of its ancestors. Returns the number of added shares. */
static u32 add_shares(const struct maps *m, const struct read_groups *groups,
		      const struct numbered_part *part, struct numbered_share *list)
{
	struct disk_share share = { .dev = part->part.dev,
				    .disk = part->part.disk,
				    .is_known = true,
				    .stacked = part->part.stacked,
				    .span_ns = part->part.span_ns,
				    .shared_ns = part->shared_ns };
	u32 n = 0;

	if (share.shared_ns > share.span_ns)
		share.shared_ns = share.span_ns;
	for (u32 group = part->group; group != GROUP_NONE && n <= GROUP_LEVELS;
	     group = m->groups[group].parent) {
		if (group < groups->n && groups->sums[group])
			list[n++] = (struct numbered_share){ share, group };
	}
	return n;
}

/* Adds the joint time of @part to the sums of its group. In this time, both the group and the
 * selected group (selected.h) used the disk. It is not added to the parent groups, because the
 * times of their child groups may overlap. */
static void add_joint(const struct read_groups *groups, const struct numbered_part *part)
{
	u64 joint = part->joint_ns < part->part.span_ns ? part->joint_ns : part->part.span_ns;

	if (!part->part.stacked && part->group < groups->n && groups->sums[part->group])
		groups->sums[part->group]->joint_ns += joint;
}

/* Returns an array, indexed by group number, that has true if the sums of the group include removed
 * child groups (retire.h). The sums of an interval never include removed groups, so for an interval
 * all elements are false. The caller frees the array. */
static bool *find_mixed(const struct maps *m, const struct read_groups *groups)
{
	bool *mixed = need(calloc(groups->n, sizeof(*mixed)));

	for (u32 i = GROUP_TOP; i < groups->n && !groups->is_interval; i++) {
		if (!group_retired(m, i))
			continue;
		for (u32 up = i; up != GROUP_NONE && !mixed[up];
		     up = known_group(groups->n, m->groups[up].parent))
			mixed[up] = true;
	}
	return mixed;
}

/* Returns the shares of all groups, in the order of share_order(). A group has one share per disk
 * for itself, and one per disk for each group below it. Sets *@n to the number of shares. The
 * caller frees the list. */
static struct numbered_share *all_shares(const struct maps *m, const struct parts *parts,
					 const struct read_groups *groups, u32 *n)
{
	struct numbered_share *list =
		need(calloc(parts->n * (GROUP_LEVELS + 1) + 1, sizeof(*list)));

	for (u32 i = 0; i < parts->n; i++) {
		if (parts->list[i].part.op != OP_BOTH)
			continue;
		*n += add_shares(m, groups, &parts->list[i], list + *n);
		add_joint(groups, &parts->list[i]);
	}
	qsort(list, *n, sizeof(*list), share_order);
	return list;
}

/* Reports one share per group and disk. In two cases, its times are unknown:
 * - A parent group has several shares of a disk: its own, and those of groups below it. Their times
 * may overlap, so they cannot be added.
 * - Child groups of the group were removed (retire.h). */
void maps_measure_shares(const struct maps *m, const struct parts *parts,
			 const struct read_groups *groups, struct measurement *to)
{
	u32 n = 0, all = 0;
	struct numbered_share *list = all_shares(m, parts, groups, &n);
	bool *mixed = find_mixed(m, groups);

	to->shares = need(calloc(n + 1, sizeof(*to->shares)));
	for (u32 i = 0; i < n; i++) {
		struct group_sum *g = groups->sums[list[i].group];
		bool again = i && !share_order(&list[i - 1], &list[i]);

		if (!again && !g->shares_n++)
			g->shares = &to->shares[all];
		all += !again;
		to->shares[all - 1] = list[i].share;
		if (again || mixed[list[i].group])
			to->shares[all - 1].is_known = false;
	}
	free(mixed);
	free(list);
}
