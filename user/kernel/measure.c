// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the spans and counters in the BPF maps. A span measures T, the time in which at least one
 * access is in flight. The total of a span (struct span_total) is T since the start of the
 * measurement. T can shrink between two samples: if the completion of an access is lost (no BPF
 * program saw it), a repair ends the access at an earlier time. The total then shrinks, but not
 * below the value that was already reported. A group is a cgroup or process with counters of its
 * own. */
#include "user/kernel/measure.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/kernel/group-states.h"
#include "user/kernel/measure-groups.h"
#include "user/kernel/read-pressure.h"
#include "user/kernel/selected.h"

/* Adds the change of T since the last sample to the total @to. @t is T of the span in the maps now.
 * If T has shrunk, the total shrinks, too, but not below the last reported value (@to->read_ns). */
static void sample(u64 t, struct span_total *to)
{
	s64 more = span_delta_ns(to->last_ns, t);
	s64 least = (s64)(to->read_ns - to->ns);

	if (more < least)
		more = least;
	to->ns += more;
	to->last_ns += more;
}

static void restart(u64 t, struct span_total *to)
{
	sample(t, to);
	if (span_delta_ns(to->last_ns, t) < 0)
		to->last_ns = t;
}

static void sample_for_reader(u64 t, struct span_total *to)
{
	sample(t, to);
	to->read_ns = to->ns;
}

static u64 span_t(const struct span *s, u64 now)
{
	return span_time_ns(__atomic_load_n(&s->word, __ATOMIC_RELAXED), now);
}

/* Returns the value in ns of the clock .shared (bpf/share.h) of span number @span.
 * - Span of a disk: the clock runs while at least two groups use the disk; @now is a time.
 * - Span of a group on a disk: the clock runs while the group shares the disk; @now is the value of
 * the disk's clock. */
static u64 shared_t(const struct maps *m, u32 span, u64 now)
{
	return share_time_ns(__atomic_load_n(&m->spans[span].shared, __ATOMIC_RELAXED), now);
}

/* Updates the times in which groups share disks: m->disk_shares and m->shares. If two CPUs change a
 * span at the same time, a new value may be slightly below the old one. restart() then does not
 * reduce the total, but later adds each increase in full. */
static void sample_shares(struct maps *m, u64 now)
{
	u32 n = *m->disks_n < MAX_DISKS ? *m->disks_n : MAX_DISKS;

	for (u32 i = 0; i < n; i++)
		restart(shared_t(m, SPAN_DISK(i, DISK_RW), now), &m->disk_shares[i]);
	for (u32 i = 1; i < maps_cells(m); i++) {
		struct cell c = maps_cell(m, i);

		if (cell_is_both(&c) && c.span < m->max_spans)
			restart(shared_t(m, c.span, shared_t(m, SPAN_DISK(c.disk, DISK_RW), now)),
				&m->shares[i]);
	}
	selected_sample(m, now);
}

/* T of a group on a disk is the sum of two durations: shared with other groups, and alone. Neither
 * may shrink from one report to the next. But T and the shared time are read at different instants,
 * so the time alone (T minus the shared time) may seem to shrink. In this case, the shared time is
 * reduced, so that the time alone stays. */
static void report_shares(struct maps *m)
{
	for (u32 i = 1; m->per_cgroup && i < maps_cells(m); i++) {
		struct cell c = maps_cell(m, i);
		struct span_total *s = &m->shares[i];
		u64 most;

		if (!cell_is_both(&c) || c.span >= m->max_spans)
			continue;
		most = m->totals[c.span].ns - m->alone[i];
		s->read_ns = s->ns < most ? s->ns : most;
		m->alone[i] = m->totals[c.span].ns - s->read_ns;
	}
}

static void for_spans(struct maps *m, u64 now, void (*fn)(u64 t, struct span_total *to))
{
	for (u32 i = 0; i < m->max_spans; i++)
		if (m->spans[i].word || m->totals[i].ns)
			fn(span_t(&m->spans[i], now), &m->totals[i]);
	for (u32 i = 0; i < APP_SPANS; i++)
		fn(span_t(&m->app->spans[i], now), &m->app_totals[i]);
	if (m->per_cgroup)
		sample_shares(m, now);
}

void maps_sample(struct maps *m, u64 now)
{
	for_spans(m, now, sample);
}

void maps_restart(struct maps *m, u64 now)
{
	for_spans(m, now, restart);
}

/* Adds the accesses with operation @op through interface @src (enum source) to @to. This includes
 * the accesses with a lost completion, which have no latency. */
static void add_source(const struct maps *m, u32 src, u32 op, struct sum *to)
{
	const struct lost_ring *lost = &m->lost_rings[src * VFS_OPS + op];

	to->row.accesses += lost->accesses;
	to->row.bytes += lost->bytes;
	maps_add_row(m, ROW_VFS(src, op), to);
}

static void measure_vfs(struct maps *m, struct measurement *to)
{
	for (u32 op = 0; op < VFS_OPS; op++) {
		for (u32 src = 0; src < SRC_MAX; src++) {
			struct sum part = {};

			add_source(m, src, op, &part);
			sum_add_row(&to->vfs_ops[op], &part.row);
			sum_add_row(&to->vfs_sources[src], &part.row);
			if (op != VFS_SYNC)
				sum_add_row(&to->layers[LAYER_VFS], &part.row);
		}
		sum_set_span(&to->vfs_ops[op], m->totals[SPAN_VFS_OP + op].ns, to->elapsed_ns);
	}
	sum_set_span(&to->layers[LAYER_VFS], m->totals[SPAN_VFS].ns, to->elapsed_ns);
	sum_set_wait(&to->layers[LAYER_VFS], m->totals[SPAN_VFS_WAIT].ns);
	to->vfs_device_ns = m->totals[SPAN_VFS_DEVICE].ns;
}

static void measure_app(struct maps *m, struct measurement *to)
{
	for (u32 op = 0; op < VFS_OPS; op++) {
		struct sum ring = {};

		add_source(m, SRC_RING, op, &ring);
		add_source(m, SRC_AIO, op, &ring);
		sum_add_row(&to->app_ring, &ring.row);
		sum_add_row(&to->app_ops[op], &ring.row);
		for (u32 i = 0; i < APP_STRIPES; i++)
			sum_add_row(&to->app_ops[op], &m->app->rows[i][op]);
		sum_set_span(&to->app_ops[op], m->app_totals[op].ns, to->elapsed_ns);
		if (op != VFS_SYNC)
			sum_add_row(&to->layers[LAYER_APP], &to->app_ops[op].row);
	}
	sum_set_span(&to->layers[LAYER_APP], m->app_totals[APP_SPAN_ALL].ns, to->elapsed_ns);
	sum_set_wait(&to->layers[LAYER_APP], m->app_totals[APP_SPAN_WAIT].ns);
	to->app_device_ns = m->app_totals[APP_SPAN_JOINT].ns;
	to->app_programs = m->app->head.programs;
}

static void measure_disk_rows(struct maps *m, u32 i, struct disk_sum *d)
{
	for (u32 op = 0; op < DEVICE_OPS; op++) {
		u32 row = m->disks[i].rows[op];

		if (row && row < m->row_groups)
			maps_add_row(m, row, &d->ops[op]);
		sum_set_span(&d->ops[op], m->totals[SPAN_DISK(i, op)].ns, d->all.elapsed_ns);
		d->ops[op].repaired_ns =
			__atomic_load_n(&m->disks[i].repaired_ns[op], __ATOMIC_RELAXED);
		d->ops[op].has_repaired = true;
	}
}

/* Adds the accesses with a missed issue or completion event to the sums of their disks. BPF
 * programs count these accesses in struct cell (.lost), so struct row lacks them. */
static void measure_cells(struct maps *m, struct measurement *to)
{
	for (u32 i = 1; i < maps_cells(m); i++) {
		struct cell c = maps_cell(m, i);
		struct sum *op;

		if (!c.group || c.disk >= to->disks_n || c.op >= DEVICE_OPS)
			continue;
		op = &to->disks[c.disk].ops[c.op];
		op->row.accesses += c.lost;
		op->row.bytes += c.lost_bytes;
	}
}

static int measure_disks(struct maps *m, struct measurement *to)
{
	u32 n = *m->disks_n < MAX_DISKS ? *m->disks_n : MAX_DISKS;

	to->disks = calloc(n + 1, sizeof(*to->disks));
	if (!to->disks)
		return error(-ENOMEM, "out of memory");
	to->disks_n = n;
	for (u32 i = 0; i < n; i++) {
		struct disk_sum *d = &to->disks[i];

		memcpy(d->name, m->disks[i].is.name, sizeof(d->name) - 1);
		d->dev = m->disks[i].is.dev;
		d->disk = i;
		d->stacked = m->disks[i].is.stacked;
		d->diskseq = m->disks[i].diskseq;
		sum_set_span(&d->all, m->totals[SPAN_DISK(i, DISK_RW)].ns, to->elapsed_ns);
		d->shared_ns = m->disk_shares[i].ns;
		measure_disk_rows(m, i, d);
	}
	measure_cells(m, to);
	for (u32 i = 0; i < n; i++) {
		for (u32 op = 0; op < DEVICE_OPS; op++)
			group_add_retired_lost(m, i, op, &to->disks[i].ops[op]);
		disk_add_up(&to->disks[i], &to->layers[LAYER_DEVICE]);
	}
	sum_set_span(&to->layers[LAYER_DEVICE], m->totals[SPAN_DEVICE].ns, to->elapsed_ns);
	sum_set_wait(&to->layers[LAYER_DEVICE], m->totals[SPAN_DEVICE_WAIT].ns);
	return 0;
}

/* Counts the device accesses in flight. Call this right after reading T, so that both are from
 * nearly the same time. */
static void measure_in_flight(const struct maps *m, struct measurement *to)
{
	for (u32 i = 1; i < maps_cells(m); i++) {
		struct cell c = maps_cell(m, i);

		if (cell_is_both(&c))
			continue;
		for (u32 leaf = 0; c.group && c.disk < MAX_DISKS && leaf < m->leaves; leaf++)
			to->in_flight += span_count(m->spans[c.span + leaf].word);
	}
}

int maps_measure(struct maps *m, u64 start_ns, u64 now, bool cut, struct measurement *to)
{
	for_spans(m, now, sample_for_reader);
	report_shares(m);
	measure_in_flight(m, to);
	to->elapsed_ns = now - start_ns;
	to->notes = *m->notes;
	measure_vfs(m, to);
	measure_app(m, to);
	pressures_measure(m, now, cut, to);
	maps_measure_groups(m, cut, to);
	return measure_disks(m, to);
}
