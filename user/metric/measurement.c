// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions for the results of measurements: order of groups, and difference of two
 * measurements. */
#include "user/metric/measurement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

const char *const layer_names[LAYERS + 1] = { "app", "vfs", "device", NULL };
const char *const op_names[OP_MAX + 1] = {
	"read", "write", "flush", "discard", "other", "sync", "open", "create", "close", NULL,
};
const char *const vfs_op_names[CALL_OPS] = { "read", "write", "sync", "open", "create", "close" };
const char *const source_names[SRC_MAX] = { "syscall", "io_uring", "libaio", "fault" };

void measurement_free(struct measurement *m)
{
	if (!m)
		return;
	for (unsigned i = 0; i < m->groups_n; i++)
		free(m->groups[i].path);
	free(m->disks);
	free(m->groups);
	free(m->parts);
	free(m->shares);
	free(m->unmatched);
	free(m);
}

u64 measurement_missed(const struct measurement *m)
{
	u64 sum = 0;

	for (unsigned i = 0; i < m->programs_n; i++)
		sum += m->programs[i].missed;
	return sum;
}

static void add_repaired(struct sum *to, const struct sum *from)
{
	to->repaired_ns += from->repaired_ns;
	to->has_repaired |= from->has_repaired;
}

void disk_add_up(struct disk_sum *d, struct sum *layer)
{
	static const enum op counted[] = { OP_READ, OP_WRITE };

	for (int i = 0; i < 2; i++) {
		const struct sum *op = &d->ops[counted[i]];

		sum_add_row(&d->all, &op->row);
		add_repaired(&d->all, op);
		if (d->stacked)
			continue;
		sum_add_row(layer, &op->row);
		add_repaired(layer, op);
	}
}

const struct sum *group_layer(const struct group_sum *g, enum layer layer)
{
	return layer == LAYER_VFS ? &g->vfs : layer == LAYER_DEVICE ? &g->device : NULL;
}

bool group_is_used(const struct group_sum *g)
{
	return g->device.row.accesses || g->device.span_ns || g->vfs.row.accesses ||
		g->vfs.span_ns || g->sync.row.accesses;
}

/* Returns the position of a character in the order of paths: first the end of the path, then '/',
 * then all other characters. This order puts each group directly before its child groups. */
static int rank_of(unsigned char c)
{
	return c == '/' ? 1 : c ? c + 1 : 0;
}

int group_path_order(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return rank_of(*a) - rank_of(*b);
}

bool group_is_below(const char *path, const char *above)
{
	size_t len = strcmp(above, "/") ? strlen(above) : 0;

	return !strncmp(path, above, len) && path[len] == '/' && path[len + 1];
}

/* Subtracts @before from @now, and sets the elapsed time of @now. If @before is NULL, subtracts
 * nothing. */
static void sum_since(struct sum *now, const struct sum *before, u64 elapsed_ns)
{
	if (before)
		sum_take_away(now, before);
	now->elapsed_ns = elapsed_ns;
}

static void sums_since(struct sum *now, const struct sum *before, int n, u64 elapsed_ns)
{
	for (int i = 0; i < n; i++)
		sum_since(&now[i], &before[i], elapsed_ns);
}

static bool disk_since(struct disk_sum *to, const struct disk_sum *now,
		       const struct disk_sum *before, u64 elapsed_ns)
{
	bool some = false;

	*to = *now;
	to->shared_ns -= before ? before->shared_ns : 0;
	sum_since(&to->all, before ? &before->all : NULL, elapsed_ns);
	for (int op = 0; op < DEVICE_OPS; op++) {
		sum_since(&to->ops[op], before ? &before->ops[op] : NULL, elapsed_ns);
		some |= to->ops[op].row.accesses || to->ops[op].span_ns;
	}
	return some;
}

/* Sets the disks of @to to the difference of @now and @before. Leaves out disks that had no access
 * completed or in flight between @before and @now. A disk has the same index in @now and @before,
 * because disks are only added at the end. */
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

static void losses_since(struct measurement *to, const struct measurement *now,
			 const struct measurement *before)
{
	for (int i = 0; now->losses[i].name; i++)
		to->losses[i].n -= before->losses[i].n;
	for (unsigned i = 0; i < now->programs_n; i++) {
		to->programs[i].missed -= before->programs[i].missed;
		to->programs[i].runs -= before->programs[i].runs;
		to->programs[i].run_ns -= before->programs[i].run_ns;
	}
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
	to->pressure = pressure_since(&now->pressure, &before->pressure);
	to->groups = NULL;
	to->groups_n = 0;
	to->others = (struct group_sum){};
	to->parts = NULL;
	to->shares = NULL;
	to->unmatched = NULL;
	disks_since(to, now, before);
	losses_since(to, now, before);
	return to;
}

/* ---- pressure: times for which tasks waited for I/O ---- */

struct pressure pressure_since(const struct pressure *now, const struct pressure *before)
{
	return (struct pressure){
		.some_ns = now->some_ns - before->some_ns,
		.full_ns = now->full_ns - before->full_ns,
		.dirty_ns = now->dirty_ns - before->dirty_ns,
		.has_psi = now->has_psi && before->has_psi && now->some_ns >= before->some_ns &&
			now->full_ns >= before->full_ns,
		.has_dirty = now->has_dirty && before->has_dirty &&
			now->dirty_ns >= before->dirty_ns,
	};
}

bool pressure_is_some(const struct pressure *p)
{
	return (p->has_psi && p->some_ns) || (p->has_dirty && p->dirty_ns);
}

void pressure_json(struct out *o, const struct pressure *p)
{
	struct out *times = out_object();

	out_u64_or_null(times, KEY_PSI_SOME, p->has_psi, p->some_ns);
	out_u64_or_null(times, KEY_PSI_FULL, p->has_psi, p->full_ns);
	out_u64_or_null(times, KEY_DIRTY, p->has_dirty, p->dirty_ns);
	out_put(o, KEY_PRESSURE, times);
}

/* ---- sharing of disks ---- */

struct disk_sharing group_sharing(const struct group_sum *g)
{
	struct disk_sharing s = {};
	bool unknown = false;

	for (unsigned i = 0; i < g->shares_n; i++) {
		if (g->shares[i].stacked)
			continue;
		s.is_known = true;
		unknown |= !g->shares[i].is_known;
		s.span_ns += g->shares[i].span_ns;
		s.shared_ns += g->shares[i].shared_ns;
	}
	return s.is_known && !unknown ? s : (struct disk_sharing){};
}

void sharing_sums(const struct group_sum *g, const struct disk_sharing *s, struct sum *alone,
		  struct sum *shared)
{
	*alone = g->device;
	*shared = g->shared;
	sum_take_away(alone, shared);
	sum_set_span(alone, s->span_ns - s->shared_ns, g->device.elapsed_ns);
	sum_set_span(shared, s->shared_ns, g->device.elapsed_ns);
}

double group_shared_fraction(const struct group_sum *g)
{
	struct disk_sharing s = group_sharing(g);

	return s.span_ns ? (double)s.shared_ns / s.span_ns : NAN;
}

static double mean_ns(u128 latency_ns, u64 timed)
{
	return timed ? (double)latency_ns / timed : NAN;
}

double group_slowdown(const struct group_sum *g)
{
	const struct row *all = &g->device.row, *shared = &g->shared.row;

	if (!group_sharing(g).is_known)
		return NAN;
	return mean_ns(shared->latency_ns, shared->timed) /
		mean_ns(all->latency_ns - shared->latency_ns, all->timed - shared->timed);
}
