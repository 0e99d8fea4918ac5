// SPDX-License-Identifier: GPL-2.0-or-later
/* How large the kernel programs' maps are, and where they lie in our memory. */
#include "tracer-maps.h"

#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dev.h"
#include "err.h"
#include "stamps.h"
#include "iospan.skel.h"

#define INIT_PIDNS_INODE 0xEFFFFFFC	/* PROC_PID_INIT_INO */
#define SPARE_DISKS 8			/* that may come while we run */
/* Cells that a group has room for, on average: 4 disks, read and written, flushed and
 * discarded. */
#define GROUP_CELLS 16
/* How many groups without a row can be counted. */
#define OTHER_GROUPS(max_groups) (3 * (max_groups) + 4096)

/* ---- sizes ---- */

/* Their numbers may have gaps: "0-3", "0,2-5". */
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

/* Every CPU has its own stripe of each row, as long as they take no more memory
 * than this; then there are fewer. */
#define ROWS_BYTES (64U << 20)

static void set_stripes(struct maps *m)
{
	u64 bytes = (u64)m->max_rows * sizeof(struct row);

	m->stripe_bits = 0;
	while (1U << m->stripe_bits <= tracer_highest_cpu() &&
	       bytes << (m->stripe_bits + 1) <= ROWS_BYTES)
		m->stripe_bits++;
}

/* A leaf for each hardware queue, or CPU where disks take bios, within these. */
#define MAX_LEAVES 64
#define LEAVES_BYTES (16U << 20)

static void set_leaves(struct maps *m, unsigned queues)
{
	if (dev_has_bio_based() && queues <= tracer_highest_cpu())
		queues = tracer_highest_cpu() + 1;
	m->leaves = 1;
	while (m->leaves < queues && m->leaves < MAX_LEAVES &&
	       (u64)m->max_cells * m->leaves * 2 * sizeof(struct span) <= LEAVES_BYTES)
		m->leaves *= 2;
}

int tracer_maps_size(struct iospan *skel, const struct tracer_options *o, struct maps *m)
{
	unsigned disks, requests, queues;
	int ret = 0;

	dev_capacity(&disks, &requests, &queues);
	m->max_groups = o->per_cgroup ? o->max_groups : GROUP_TOP;
	m->max_cells = 1 + (disks + SPARE_DISKS) * DEVICE_OPS;
	m->row_groups = ROW_DISKS + m->max_cells - 1;
	m->max_spans = SPAN_GROUP(m->max_groups + 1);
	m->max_rows = m->row_groups;
	if (o->per_cgroup) {
		m->max_cells += m->max_groups * GROUP_CELLS;
		m->max_rows += m->max_groups + 1;
	}
	set_leaves(m, queues);
	if (o->per_cgroup || m->leaves > 1)
		m->max_spans += m->max_cells * m->leaves;
	m->max_slots = 2 * requests + 16384;
	set_stripes(m);
	ret |= bpf_map__set_max_entries(skel->maps.spans, m->max_spans);
	ret |= bpf_map__set_max_entries(skel->maps.cells, m->max_cells);
	ret |= bpf_map__set_max_entries(skel->maps.cell_index, m->max_cells);
	ret |= bpf_map__set_max_entries(skel->maps.groups, m->max_groups + 1);
	ret |= bpf_map__set_max_entries(skel->maps.group_index,
					m->max_groups + OTHER_GROUPS(m->max_groups));
	ret |= bpf_map__set_max_entries(skel->maps.disk_index, MAX_DISKS);
	ret |= bpf_map__set_max_entries(skel->maps.disks, MAX_DISKS);
	ret |= bpf_map__set_max_entries(skel->maps.slots, m->max_slots);
	ret |= bpf_map__set_max_entries(skel->maps.buckets, PENDING_BUCKETS);
	ret |= bpf_map__set_max_entries(skel->maps.pending, PENDING_BUCKETS * PENDING_WAYS);
	ret |= bpf_map__set_max_entries(skel->maps.app, sizeof(struct app_area) / 64);
	ret |= bpf_map__set_max_entries(skel->maps.rows, m->max_rows << m->stripe_bits);
	ret |= bpf_map__set_max_entries(skel->maps.stamps, stamps_wanted() ? STAMPS_ROOM : 1);
	m->total_ns = calloc(m->max_spans, sizeof(u64));
	m->last_ns = calloc(m->max_spans, sizeof(u64));
	m->suspects = calloc(m->max_slots, sizeof(u64));
	if (ret || !m->total_ns || !m->last_ns || !m->suspects)
		return error(-ENOMEM, "cannot size the maps");
	return 0;
}

/* ---- mapping ---- */

static void *map_array(struct bpf_map *map, size_t value)
{
	size_t size = (size_t)bpf_map__max_entries(map) * value;
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);

	return at == MAP_FAILED ? NULL : at;
}

static void unmap_array(void *at, struct bpf_map *map, size_t value)
{
	if (at)
		munmap(at, (size_t)bpf_map__max_entries(map) * value);
}

int tracer_maps_map(struct iospan *skel, const struct tracer_options *o, struct maps *m)
{
	struct stat st;

	m->spans = map_array(skel->maps.spans, sizeof(*m->spans));
	m->cells = map_array(skel->maps.cells, sizeof(*m->cells));
	m->slots = map_array(skel->maps.slots, sizeof(*m->slots));
	m->pending = map_array(skel->maps.pending, sizeof(*m->pending));
	m->buckets = map_array(skel->maps.buckets, sizeof(*m->buckets));
	m->disks = map_array(skel->maps.disks, sizeof(*m->disks));
	m->rows = map_array(skel->maps.rows, sizeof(*m->rows));
	m->app = map_array(skel->maps.app, 64);
	m->groups = map_array(skel->maps.groups, sizeof(*m->groups));
	m->stamps = map_array(skel->maps.stamps, sizeof(*m->stamps));
	if (!m->groups || !m->spans || !m->cells || !m->slots || !m->pending || !m->buckets ||
	    !m->disks || !m->rows || !m->app || !m->stamps)
		return error(-errno, "cannot map the counters: %s", strerror(errno));
	m->disks_n = &skel->bss->disks_n;
	m->cells_n = &skel->data->cells_n;
	m->slots_n = &skel->bss->slots_n;
	m->groups_n = &skel->data->groups_n;
	m->losses = &skel->bss->losses;
	m->stamps_n = &skel->bss->stamps_n;
	m->lost_rings = skel->bss->lost_rings;
	m->notes = &skel->bss->notes;
	m->init_pidns = !stat("/proc/self/ns/pid", &st) && st.st_ino == INIT_PIDNS_INODE;
	m->app->head.magic = APP_MAGIC;
	m->groups[GROUP_TOP].id = (o->attribution == BY_BLKCG ? o->charged : o->target).id;
	m->per_cgroup = o->per_cgroup;
	return 0;
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
	unmap_array(m->groups, skel->maps.groups, sizeof(*m->groups));
	unmap_array(m->app, skel->maps.app, 64);
	unmap_array(m->stamps, skel->maps.stamps, sizeof(*m->stamps));
	free(m->total_ns);
	free(m->last_ns);
	free(m->suspects);
}
