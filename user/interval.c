// SPDX-License-Identifier: GPL-2.0-or-later
#include "interval.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "err.h"

/* @before: NULL when there was nothing. */
static struct sum sum_since(const struct sum *now, const struct sum *before, u64 elapsed_ns)
{
	struct sum s = *now;

	if (before)
		sum_take_away(&s, before);
	s.elapsed_ns = elapsed_ns;
	return s;
}

static void sums_since(struct sum *now, const struct sum *before, int n, u64 elapsed_ns)
{
	for (int i = 0; i < n; i++)
		now[i] = sum_since(&now[i], &before[i], elapsed_ns);
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
	to->all = sum_since(&now->all, before ? &before->all : NULL, elapsed_ns);
	for (int op = 0; op < DEVICE_OPS; op++) {
		to->ops[op] = sum_since(&now->ops[op], before ? &before->ops[op] : NULL,
					elapsed_ns);
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

/* ---- parts: both lists are in order, and what was there once stays ---- */

/* Those of @now that have come since @before, at @to; how many. */
static unsigned parts_since(struct group_part *to, const struct group_sum *now,
			    const struct group_sum *before)
{
	const struct group_part *old = before ? before->parts : NULL;
	const struct group_part *end = before ? old + before->parts_n : NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < now->parts_n; i++) {
		struct group_part p = now->parts[i];

		while (old < end && group_part_order(old, &p) < 0)
			old++;
		if (old < end && group_part_order(old, &p) == 0) {
			p.accesses -= old->accesses;
			p.bytes -= old->bytes;
			p.errors -= old->errors;
			p.latency_ns -= old->latency_ns;
			p.span_ns -= old->span_ns;
		}
		if (p.accesses || p.span_ns)
			to[n++] = p;
	}
	return n;
}

/* ---- groups: both lists are in order, and what was there once stays ---- */

static unsigned parts_of(const struct measurement *m)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->groups_n; i++)
		n += m->groups[i].parts_n;
	return n;
}

static void groups_since(struct measurement *to, const struct measurement *now,
			 const struct measurement *before)
{
	const struct group_sum *old = before->groups, *end = old + before->groups_n;
	struct group_part *parts = need(calloc(parts_of(now) + 1, sizeof(*parts)));

	to->parts = parts;
	to->groups = need(calloc(now->groups_n + 1, sizeof(*to->groups)));
	to->groups_n = 0;
	for (unsigned i = 0; i < now->groups_n; i++) {
		const struct group_sum *g = &now->groups[i];
		struct group_sum *next = &to->groups[to->groups_n];
		bool known;

		while (old < end && group_order(old, g) < 0)
			old++;
		known = old < end && group_order(old, g) == 0;
		next->device = sum_since(&g->device, known ? &old->device : NULL, to->elapsed_ns);
		next->vfs = sum_since(&g->vfs, known ? &old->vfs : NULL, to->elapsed_ns);
		next->parts = parts;
		next->parts_n = parts_since(parts, g, known ? old : NULL);
		if (!did_something(&next->device) && !did_something(&next->vfs) && !next->parts_n)
			continue;
		parts += next->parts_n;
		next->id = g->id;
		next->path = need(strdup(g->path));
		to->groups_n++;
	}
	sums_since(&to->others.device, &before->others.device, 1, to->elapsed_ns);
	sums_since(&to->others.vfs, &before->others.vfs, 1, to->elapsed_ns);
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
	disks_since(to, now, before);
	groups_since(to, now, before);
	losses_since(to, now, before);
	return to;
}

int cuts_begin(struct cuts *c, struct tracer *t)
{
	*c = (struct cuts){ .tracer = t };
	return tracer_read(t, now_ns(), &c->last);
}

int cuts_next(struct cuts *c, struct measurement **m)
{
	struct measurement *now;
	int ret = tracer_read(c->tracer, c->last->begin_ns, &now);

	if (ret)
		return ret;
	*m = measurement_since(now, c->last);
	measurement_free(c->last);
	c->last = now;
	return 0;
}

void cuts_end(struct cuts *c)
{
	measurement_free(c->last);
	c->last = NULL;
}
