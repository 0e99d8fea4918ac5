// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets the sizes of the BPF maps, and maps them. A group is a cgroup or process with counters of
 * its own. A row (struct row) has the counters of a set of accesses, in several copies (stripes). A
 * span measures the time in which at least one access is in flight. A cell has the indices of the
 * rows and spans of one group, disk and operation. */
#include "user/kernel/tracer-maps.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/host/dev.h"
#include "user/kernel/wanted.h"
#include "user/host/host.h"
#include "user/base/err.h"
#include "user/kernel/read-pressure.h"
#include "user/kernel/retire.h"
#include "user/kernel/selected.h"
#include "user/kernel/median.h"
#include "iospan.skel.h"

#define SPARE_DISKS 8 /* number of disks that may be added during the measurement */
/* The map of cells has room for this number of cells per group. A group needs one cell per disk and
 * operation, and one more per disk (OP_BOTH). So 20 cells are enough for 4 disks with reads,
 * writes, flushes and discards. If a group needs more, it can use the room of other groups. */
#define GROUP_CELLS 20
/* Maximum number of cgroups without counters of their own (GROUP_OTHER) that iospan can count. If
 * there are more, it sets notes.more_groups to 1. */
#define OTHER_GROUPS(max_groups) (3 * (max_groups) + 4096)

/* Reads the highest CPU number from a file with ranges of numbers, such as "0-3" or "0,2-5". */
unsigned tracer_highest_cpu(void)
{
	FILE *f = fopen("/sys/devices/system/cpu/possible", "re");
	unsigned last = sysconf(_SC_NPROCESSORS_CONF) - 1;

	while (f && fscanf(f, "%u%*[-,]", &last) > 0)
		;
	if (f)
		fclose(f);
	return last;
}

/* Limit in bytes for the memory of all rows. It applies to the rows of groups, and separately to
 * all other rows. If the limit permits, there is a stripe per CPU. Otherwise several CPUs share a
 * stripe. */
#define ROWS_BYTES (64U << 20)

static u32 bits_for(u64 n)
{
	u32 bits = 0;

	while (1U << bits <= tracer_highest_cpu() &&
	       n * sizeof(struct row) << (bits + 1) <= ROWS_BYTES)
		bits++;
	return bits;
}

static void set_stripes(struct maps *m)
{
	m->stripe_bits = bits_for(m->row_groups);
	m->group_bits = bits_for(m->max_rows - m->row_groups);
}

/* Leaves are spans of a cell. Each access changes only one leaf, so that CPUs do not all change one
 * span. A cell has at least one leaf per hardware queue. If a selected disk is bio-based (dm, md
 * ...), a cell has at least one leaf per CPU. Two limits may reduce this: a cell has at most
 * MAX_LEAVES leaves, and the leaves of all cells take at most LEAVES_BYTES. */
#define MAX_LEAVES 64
#define LEAVES_BYTES (16U << 20)

static void set_leaves(struct maps *m, const char *disks, unsigned queues)
{
	if (wanted_has_bio_based(disks) && queues <= tracer_highest_cpu())
		queues = tracer_highest_cpu() + 1;
	m->leaves = 1;
	while (m->leaves < queues && m->leaves < MAX_LEAVES &&
	       (u64)m->max_cells * (m->leaves * 2 + m->per_part) * sizeof(struct span) <=
		       LEAVES_BYTES)
		m->leaves *= 2;
}

/* Returns the number of lanes, which are the buffers in which the preloaded library records
 * accesses: 4 per CPU, rounded up to a power of two. */
static u32 lanes_wanted(void)
{
	u32 n = 4;

	while (n < APP_STRIPES && n < 4 * (tracer_highest_cpu() + 1))
		n *= 2;
	return n;
}

static size_t app_bytes(const struct maps *m)
{
	return sizeof(struct app_area) + m->lanes_n * sizeof(struct record_lane);
}

/* Sets the numbers of groups, cells and rows for which the maps have room. @disk_ops is the number
 * of disks times the number of operations. Two group numbers always have room for all their cells:
 * that of the command's cgroup (GROUP_TOP), and GROUP_TOP | GROUP_OTHER, which gets the accesses of
 * all groups without room for a cell. */
static void set_groups(struct maps *m, const struct tracer_options *o, u32 disk_ops)
{
	bool device = o->layers & 1 << LAYER_DEVICE;

	m->joint_vfs = device && o->layers & 1 << LAYER_VFS;
	m->joint_app = device && o->layers & 1 << LAYER_APP;
	m->selectable = o->selectable;
	m->per_cgroup = o->per_cgroup;
	m->per_part = o->per_cgroup && o->per_part;
	m->per_process = o->per_process;
	m->vfs_groups = o->per_cgroup && o->layers & 1 << LAYER_VFS;
	m->max_groups = o->per_cgroup ? o->max_groups : GROUP_TOP;
	m->max_cells = 1 + disk_ops;
	m->row_groups = ROW_DISKS + disk_ops;
	m->max_rows = m->row_groups;
	if (!o->per_cgroup)
		return;
	m->max_cells = 1 + 2 * (disk_ops / DEVICE_OPS * DISK_CELLS + VFS_OPS) +
		m->max_groups * GROUP_CELLS;
	m->max_rows += (SET_SHARED + 1) * GROUPS_OF(m->max_groups);
	if (!m->vfs_groups)
		return;
	m->max_cells += m->max_groups * VFS_OPS;
	m->max_rows += (GROUP_SETS - SET_VFS) * GROUPS_OF(m->max_groups);
}

int tracer_maps_size(struct iospan *skel, const struct tracer_options *o, struct maps *m)
{
	unsigned disks, requests, queues;
	int ret = 0;

	dev_capacity(SLOT_BLOCK_MIN, &disks, &requests, &queues);
	set_groups(m, o, (disks + SPARE_DISKS) * DEVICE_OPS);
	set_leaves(m, o->disks, queues);
	m->max_spans = SPAN_CELLS(m->max_groups);
	if (o->per_cgroup || m->leaves > 1)
		m->max_spans += m->max_cells * (m->leaves + m->per_part);
	m->max_slots = 2 * requests + 16384;
	set_stripes(m);
	ret |= bpf_map__set_max_entries(skel->maps.spans, m->max_spans);
	ret |= bpf_map__set_max_entries(skel->maps.cells, m->max_cells);
	ret |= bpf_map__set_max_entries(skel->maps.cell_index, m->max_cells);
	ret |= bpf_map__set_max_entries(skel->maps.groups, m->max_groups + 1);
	ret |= bpf_map__set_max_entries(skel->maps.pauses, o->pressure ? m->max_groups + 1 : 1);
	ret |= bpf_map__set_max_entries(skel->maps.group_index,
					m->max_groups + OTHER_GROUPS(m->max_groups));
	ret |= bpf_map__set_max_entries(skel->maps.disk_index, MAX_DISKS);
	ret |= bpf_map__set_max_entries(skel->maps.disks, MAX_DISKS);
	ret |= bpf_map__set_max_entries(skel->maps.wanted_disks, o->disks ? MAX_DISKS : 1);
	ret |= bpf_map__set_max_entries(skel->maps.slots, m->max_slots);
	ret |= bpf_map__set_max_entries(skel->maps.free_groups,
					o->retire ? GROUPS_OF(m->max_groups) : 1);
	ret |= bpf_map__set_max_entries(skel->maps.free_cells, o->retire ? m->max_cells : 1);
	ret |= bpf_map__set_max_entries(skel->maps.buckets, PENDING_BUCKETS);
	ret |= bpf_map__set_max_entries(skel->maps.pending, PENDING_BUCKETS * PENDING_WAYS);
	m->lanes_n = o->record_bytes ? lanes_wanted() : 0;
	ret |= bpf_map__set_max_entries(skel->maps.app, app_bytes(m) / 64);
	ret |= bpf_map__set_max_entries(skel->maps.rows, maps_stripe(m, m->max_rows, 0));
	ret |= bpf_map__set_max_entries(skel->maps.cell_counts,
					m->per_part ? m->max_cells << m->group_bits : 1);
	m->totals = calloc(m->max_spans, sizeof(*m->totals));
	m->shares = calloc(m->max_cells, sizeof(*m->shares));
	m->alone = calloc(m->max_cells, sizeof(*m->alone));
	m->suspects = calloc(m->max_slots, sizeof(u64));
	if (ret || !m->totals || !m->shares || !m->alone || !m->suspects)
		return error(-ENOMEM, "cannot size the maps");
	return 0;
}

#define RING_MIN (256U << 10)
#define RING_MAX (1U << 30)

static void *map_array(struct bpf_map *map, size_t value)
{
	size_t size = (size_t)bpf_map__max_entries(map) * value;
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);

	if (at == MAP_FAILED)
		return NULL;
	return at;
}

static void unmap_array(void *at, struct bpf_map *map, size_t value)
{
	if (at)
		munmap(at, (size_t)bpf_map__max_entries(map) * value);
}

static int make_bpf_ring(struct iospan *skel, u32 i, u32 size, int *to)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "iospan_ring", 0, 0, size, NULL);

	if (fd < 0)
		return error(-errno, "cannot make a ring of %u bytes: %s", size, strerror(errno));
	*to = fd;
	if (bpf_map_update_elem(bpf_map__fd(skel->maps.record_rings), &i, &fd, BPF_ANY))
		return error(-errno, "cannot use a ring: %s", strerror(errno));
	return 0;
}

/* Makes ring buffers of @bytes in total: one per CPU, up to RECORD_RINGS, and one for names. The
 * latter gets at most a quarter of the bytes. A name is as large as 25 accesses, but few accesses
 * need a new name. */
static int make_rings(struct iospan *skel, u64 bytes, struct maps *m)
{
	u32 n = tracer_highest_cpu() + 1 < RECORD_RINGS ? tracer_highest_cpu() + 1 : RECORD_RINGS;
	u32 size = RING_MIN, names = RING_MIN;
	int ret;

	while (names * 8ULL <= bytes && names < RING_MAX)
		names *= 2;
	while (size * 2ULL * n + names <= bytes && size < RING_MAX)
		size *= 2;
	ret = make_bpf_ring(skel, RECORD_RINGS, names, &m->names_ring);
	for (u32 i = 0; i < n && !ret; i++) {
		ret = make_bpf_ring(skel, i, size, &m->record_rings[i]);
		m->record_rings_n += !ret;
	}
	return ret;
}

static void make_retire(struct iospan *skel, const struct tracer_options *o, struct maps *m)
{
	struct retire_maps fds = {
		.group_index = bpf_map__fd(skel->maps.group_index),
		.cell_index = bpf_map__fd(skel->maps.cell_index),
		.free_groups = bpf_map__fd(skel->maps.free_groups),
		.free_cells = bpf_map__fd(skel->maps.free_cells),
	};

	retire_new(m, &fds, (o->attribution == BY_BLKCG ? o->charged : o->target).path);
}

/* If the map of pauses cannot be mapped, the report has no times of dirty throttling. This is no
 * error. */
static void make_pressures(struct iospan *skel, const struct tracer_options *o, struct maps *m)
{
	bool has_pauses = bpf_program__fd(skel->progs.on_dirty_pause) >= 0 ||
		bpf_program__fd(skel->progs.on_dirty_pause_old) >= 0;

	if (has_pauses)
		m->pauses = map_array(skel->maps.pauses, sizeof(*m->pauses));
	pressures_new(m, (o->attribution == BY_BLKCG ? o->charged : o->target).path, m->pauses);
}

int tracer_maps_map(struct iospan *skel, const struct tracer_options *o, struct maps *m)
{
	m->spans = map_array(skel->maps.spans, sizeof(*m->spans));
	m->cells = map_array(skel->maps.cells, sizeof(*m->cells));
	m->slots = map_array(skel->maps.slots, sizeof(*m->slots));
	m->pending = map_array(skel->maps.pending, sizeof(*m->pending));
	m->buckets = map_array(skel->maps.buckets, sizeof(*m->buckets));
	m->disks = map_array(skel->maps.disks, sizeof(*m->disks));
	m->rows = map_array(skel->maps.rows, sizeof(*m->rows));
	m->cell_counts = map_array(skel->maps.cell_counts, sizeof(*m->cell_counts));
	m->app = map_array(skel->maps.app, 64);
	m->groups = map_array(skel->maps.groups, sizeof(*m->groups));
	if (!m->groups || !m->spans || !m->cells || !m->slots || !m->pending || !m->buckets ||
	    !m->disks || !m->rows || !m->cell_counts || !m->app)
		return error(-errno, "cannot map the counters: %s", strerror(errno));
	m->disks_n = &skel->bss->disks_n;
	m->cells_n = &skel->data->cells_n;
	m->slots_n = &skel->bss->slots_n;
	m->groups_n = &skel->data->groups_n;
	m->losses = &skel->bss->losses;
	m->names_begun = &skel->bss->names_begun;
	m->lost_rings = skel->bss->lost_rings;
	m->owners = skel->bss->owners;
	m->dead_contexts = skel->bss->dead_contexts;
	m->dead_contexts_n = &skel->bss->dead_contexts_n;
	m->notes = &skel->bss->notes;
	m->queues = skel->bss->queues;
	m->scan_program = bpf_program__fd(skel->progs.scan_one_queue);
	m->init_pidns = host_is_init_pidns();
	m->lanes = (void *)(m->app + 1);
	m->app->head.lanes = m->lanes_n;
	m->app->head.magic = APP_MAGIC;
	m->groups[GROUP_TOP].id = (o->attribution == BY_BLKCG ? o->charged : o->target).id;
	if (o->retire)
		make_retire(skel, o, m);
	if (o->pressure)
		make_pressures(skel, o, m);
	return o->record_bytes ? make_rings(skel, o->record_bytes, m) : 0;
}

void tracer_maps_unmap(struct iospan *skel, struct maps *m)
{
	unmap_array(m->spans, skel->maps.spans, sizeof(*m->spans));
	unmap_array(m->cells, skel->maps.cells, sizeof(*m->cells));
	unmap_array(m->slots, skel->maps.slots, sizeof(*m->slots));
	unmap_array(m->pending, skel->maps.pending, sizeof(*m->pending));
	unmap_array(m->buckets, skel->maps.buckets, sizeof(*m->buckets));
	unmap_array(m->disks, skel->maps.disks, sizeof(*m->disks));
	unmap_array(m->rows, skel->maps.rows, sizeof(*m->rows));
	unmap_array(m->cell_counts, skel->maps.cell_counts, sizeof(*m->cell_counts));
	unmap_array(m->groups, skel->maps.groups, sizeof(*m->groups));
	unmap_array(m->app, skel->maps.app, 64);
	for (u32 i = 0; i < m->record_rings_n; i++)
		close(m->record_rings[i]);
	if (m->names_ring)
		close(m->names_ring);
	unmap_array(m->pauses, skel->maps.pauses, sizeof(*m->pauses));
	pressures_free(m);
	retire_free(m);
	for (u32 i = 0; m->groups_seen && i < GROUP_SETS * GROUPS_OF(m->max_groups); i++)
		free(m->groups_seen[i]);
	free(m->groups_seen);
	free(m->parts_seen.list);
	free(m->totals);
	free(m->shares);
	free(m->alone);
	selected_free(m);
	free(m->suspects);
	medians_free(m->medians);
}
