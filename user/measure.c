// SPDX-License-Identifier: GPL-2.0-or-later
/* From the kernel programs' maps to sums per layer, disk, operation and group. */
#include "maps.h"

#include <bpf/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

const char *const layer_names[LAYERS + 1] = { "app", "vfs", "device", NULL };
const char *const op_names[OP_MAX] = {
	"read", "write", "flush", "discard", "other", "sync",
};
const char *const vfs_op_names[VFS_OPS] = { "read", "write", "sync" };
const char *const source_names[SRC_MAX] = { "syscall", "io_uring", "libaio", "fault" };

/* ---- spans ---- */

static void sample(const struct span *s, u64 now, u64 *last, u64 *total)
{
	u64 t = span_time_ns(__atomic_load_n(&s->word, __ATOMIC_RELAXED), now);
	s64 more = span_delta_ns(*last, t);

	if (more > 0) {
		*total += more;
		*last = t;
	}
}

void maps_sample(struct maps *m, u64 now)
{
	for (u32 i = 0; i < m->max_spans; i++)
		if (m->spans[i].word)
			sample(&m->spans[i], now, &m->last_ns[i], &m->total_ns[i]);
	for (u32 i = 0; i < APP_SPANS; i++)
		sample(&m->app->spans[i], now, &m->app_last_ns[i], &m->app_total_ns[i]);
}

/* ---- rows ---- */

static void add_row(const struct maps *m, u32 row, struct sum *to)
{
	for (u32 i = 0; i < 1U << m->stripe_bits; i++)
		sum_add_row(to, &m->rows[(row << m->stripe_bits) + i]);
}

static void set_span(struct sum *s, u64 span_ns, u64 elapsed)
{
	s->span_ns = span_ns;
	s->has_span = true;
	s->elapsed_ns = elapsed;
}

/* ---- layers ---- */

/* The accesses of one source. What was lost of them is counted, not timed. */
static void add_source(const struct maps *m, u32 src, u32 op, struct sum *to)
{
	const struct lost_ring *lost = &m->lost_rings[src * VFS_OPS + op];

	to->row.accesses += lost->accesses;
	to->row.bytes += lost->bytes;
	add_row(m, ROW_VFS(src, op), to);
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
		set_span(&to->vfs_ops[op], m->total_ns[SPAN_VFS_OP + op], to->elapsed_ns);
	}
	set_span(&to->layers[LAYER_VFS], m->total_ns[SPAN_VFS], to->elapsed_ns);
	to->vfs_device_ns = m->total_ns[SPAN_VFS_DEVICE];
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
		set_span(&to->app_ops[op], m->app_total_ns[op], to->elapsed_ns);
		if (op != VFS_SYNC)
			sum_add_row(&to->layers[LAYER_APP], &to->app_ops[op].row);
	}
	set_span(&to->layers[LAYER_APP], m->app_total_ns[APP_SPAN_ALL], to->elapsed_ns);
	to->app_device_ns = m->app_total_ns[APP_SPAN_JOINT];
	to->app_programs = m->app->head.programs;
}

/* A cell's row, and what was lost of it. */
static void add_cell(struct maps *m, u32 i, struct sum *to)
{
	add_row(m, ROW_CELL(i), to);
	to->row.accesses += m->cells[i].lost;
	to->row.bytes += m->cells[i].lost_bytes;
}

static struct group_sum *group_of(struct measurement *to, u64 id)
{
	for (unsigned i = 0; i < to->groups_n; i++)
		if (to->groups[i].id == id)
			return &to->groups[i];
	return NULL;
}

static void measure_cells(struct maps *m, struct measurement *to)
{
	u32 n = *m->cells_n < m->max_cells ? *m->cells_n : m->max_cells;

	for (u32 i = 1; i < n; i++) {
		struct cell *c = &m->cells[i];
		struct group_sum *g = group_of(to, c->cgroup);
		struct disk_sum *d;
		struct sum part = {};

		if (!c->cgroup || c->disk >= to->disks_n || c->op >= DEVICE_OPS)
			continue;
		add_cell(m, i, &part);
		d = &to->disks[c->disk];
		sum_add_row(&d->ops[c->op], &part.row);
		if (c->op == OP_READ || c->op == OP_WRITE) {
			sum_add_row(&d->all, &part.row);
			if (!d->stacked)
				sum_add_row(&to->layers[LAYER_DEVICE], &part.row);
			if (g && !d->stacked)
				sum_add_row(&g->device, &part.row);
		}
		to->in_flight += span_count(m->spans[c->span].word);
	}
}

/* The groups that the kernel programs met, with their spans. */
static int measure_groups(struct maps *m, struct measurement *to)
{
	u64 id, *prev = NULL, last;
	u32 at;

	to->groups = calloc(m->max_groups, sizeof(*to->groups));
	if (!to->groups)
		return error(-ENOMEM, "out of memory");
	while (to->groups_n < m->max_groups &&
	       !bpf_map_get_next_key(m->groups_fd, prev, &id)) {
		last = id;
		prev = &last;
		if (bpf_map_lookup_elem(m->groups_fd, &id, &at) || at >= m->max_groups)
			continue;
		to->groups[to->groups_n].id = id;
		set_span(&to->groups[to->groups_n++].device,
			 m->total_ns[SPAN_GROUPS + at], to->elapsed_ns);
	}
	return 0;
}

static int measure_disks(struct maps *m, struct measurement *to)
{
	u32 n = *m->disks_n < MAX_DISKS ? *m->disks_n : MAX_DISKS;
	int ret;

	to->disks = calloc(n + 1, sizeof(*to->disks));
	if (!to->disks)
		return error(-ENOMEM, "out of memory");
	to->disks_n = n;
	for (u32 i = 0; i < n; i++) {
		struct disk_sum *d = &to->disks[i];

		memcpy(d->name, m->disks[i].name, sizeof(d->name) - 1);
		d->dev = m->disks[i].dev;
		d->stacked = m->disks[i].stacked;
		set_span(&d->all, m->total_ns[SPAN_DISK(i, DISK_RW)], to->elapsed_ns);
		for (u32 op = 0; op < DEVICE_OPS; op++)
			set_span(&d->ops[op], m->total_ns[SPAN_DISK(i, op)],
				 to->elapsed_ns);
	}
	ret = measure_groups(m, to);
	if (!ret)
		measure_cells(m, to);
	set_span(&to->layers[LAYER_DEVICE], m->total_ns[SPAN_DEVICE], to->elapsed_ns);
	return ret;
}

int maps_measure(struct maps *m, u64 start_ns, u64 now, struct measurement *to)
{
	maps_sample(m, now);
	to->elapsed_ns = now - start_ns;
	to->notes = *m->notes;
	measure_vfs(m, to);
	measure_app(m, to);
	return measure_disks(m, to);
}

void measurement_free(struct measurement *m)
{
	if (!m)
		return;
	free(m->disks);
	free(m->groups);
	free(m);
}
