// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/kernel/interval.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/clock.h"
#include "user/base/err.h"

/* @before: NULL when there was nothing. */
static void since(struct sum *now, const struct sum *before, u64 elapsed_ns)
{
	if (before)
		sum_take_away(now, before);
	now->elapsed_ns = elapsed_ns;
}

static void sums_since(struct sum *now, const struct sum *before, int n, u64 elapsed_ns)
{
	for (int i = 0; i < n; i++)
		since(&now[i], &before[i], elapsed_ns);
}

static bool did_something(const struct sum *s)
{
	return s->row.accesses || s->span_ns;
}

/* ---- disks: the n-th is always the same ---- */

static bool disk_since(struct disk_sum *to, const struct disk_sum *now,
		       const struct disk_sum *before, u64 elapsed_ns)
{
	bool some = false;

	*to = *now;
	since(&to->all, before ? &before->all : NULL, elapsed_ns);
	for (int op = 0; op < DEVICE_OPS; op++) {
		since(&to->ops[op], before ? &before->ops[op] : NULL, elapsed_ns);
		some |= did_something(&to->ops[op]);
	}
	return some;
}

static void disks_since(struct measurement *to, const struct measurement *now,
			const struct measurement *before)
{
	to->disks = need(calloc(now->disks_n + 1, sizeof(*to->disks)));
	to->disks_n = 0;
	for (unsigned i = 0; i < now->disks_n; i++)
		to->disks_n += disk_since(&to->disks[to->disks_n], &now->disks[i],
					  i < before->disks_n ? &before->disks[i] : NULL,
					  to->elapsed_ns);
}

/* ---- all ---- */

static void losses_since(struct measurement *to, const struct measurement *now,
			 const struct measurement *before)
{
	for (int i = 0; now->losses[i].name; i++) {
		to->losses[i].n -= before->losses[i].n;
		if (now->losses[i].text == now->missed_text)
			to->losses[i].text = to->missed_text;
	}
	for (unsigned i = 0; i < now->missed_n; i++)
		to->missed[i].runs -= before->missed[i].runs;
	losses_missed(to);
}

struct measurement *measurement_since(const struct measurement *now,
				      const struct measurement *before)
{
	struct measurement *to = need(malloc(sizeof(*to)));
	u64 end_ns = now->begin_ns + now->elapsed_ns;

	*to = *now;
	to->begin_ns = before->begin_ns + before->elapsed_ns;
	to->elapsed_ns = end_ns - to->begin_ns;
	sums_since(to->layers, before->layers, LAYERS, to->elapsed_ns);
	sums_since(to->app_ops, before->app_ops, VFS_OPS, to->elapsed_ns);
	sums_since(to->vfs_ops, before->vfs_ops, VFS_OPS, to->elapsed_ns);
	sums_since(&to->app_ring, &before->app_ring, 1, to->elapsed_ns);
	sums_since(to->vfs_sources, before->vfs_sources, SRC_MAX, to->elapsed_ns);
	to->app_device_ns -= before->app_device_ns;
	to->vfs_device_ns -= before->vfs_device_ns;
	to->groups = NULL;
	to->groups_n = 0;
	to->others = (struct group_sum){};
	to->parts = NULL;
	disks_since(to, now, before);
	losses_since(to, now, before);
	return to;
}

static void last_for(struct group_sum *g, u64 elapsed_ns)
{
	g->device.elapsed_ns = g->vfs.elapsed_ns = elapsed_ns;
}

/* Those of a cut are of the interval that it ends. */
static void take_groups(struct measurement *to, struct measurement *cut)
{
	to->groups = cut->groups;
	to->groups_n = cut->groups_n;
	to->others = cut->others;
	to->parts = cut->parts;
	cut->groups = NULL;
	cut->groups_n = 0;
	cut->parts = NULL;
	for (unsigned i = 0; i < to->groups_n; i++)
		last_for(&to->groups[i], to->elapsed_ns);
	last_for(&to->others, to->elapsed_ns);
}

int cuts_begin(struct cuts *c, struct tracer *t)
{
	*c = (struct cuts){ .tracer = t };
	return tracer_cut(t, now_ns(), &c->last);
}

int cuts_next(struct cuts *c, struct measurement **m)
{
	struct measurement *now;
	int ret = tracer_cut(c->tracer, c->last->begin_ns, &now);

	if (ret)
		return ret;
	*m = measurement_since(now, c->last);
	take_groups(*m, now);
	measurement_free(c->last);
	c->last = now;
	return 0;
}

void cuts_end(struct cuts *c)
{
	measurement_free(c->last);
	c->last = NULL;
}
