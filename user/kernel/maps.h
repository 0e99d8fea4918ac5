/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BPF maps: tracer-maps.c maps, measure*.c reads, repair.c and retire.c change them. */
#ifndef IOSPAN_MAPS_H
#define IOSPAN_MAPS_H

#include "bpf/abi.h"
#include "user/metric/measurement.h"

/* Counters by layer, disk and operation, and the number of their group. */
struct numbered_part {
	struct group_part part;
	u32 group;
};

struct parts {
	struct numbered_part *list;
	u32 n;
};

/* T of a span since the start. Readings are added, because the word wraps after 4.9 hours. */
struct span_total {
	u64 ns;
	u64 last_ns; /* T in the word, as span_time_ns() returned it, at the last addition to ns */
	/* ns that the last maps_measure() has reported: ns must not become less */
	u64 read_ns;
};

struct maps {
	struct span *spans;
	struct cell *cells;
	struct slot *slots;
	struct pending *pending;
	struct pending_bucket *buckets;
	struct seen_disk *disks;
	struct app_area *app;
	struct row *rows;
	struct cell_counts *cell_counts; /* only with per_part */
	struct group *groups;
	u32 max_cells, max_groups, max_slots, max_spans;
	/* number of leaves, the spans of a cell; with per_part, one more span follows them */
	u32 leaves;
	u32 row_groups, max_rows;
	/* log2 of the copies (stripes) of the counters of a disk or an enum source */
	u32 stripe_bits;
	/* log2 of the copies of the counters of a group or cell */
	u32 group_bits;

	/* The following pointers are to variables of the BPF programs. */
	const u32 *disks_n, *cells_n, *slots_n, *groups_n;
	struct losses *losses;
	/* if recording: names that BPF programs have begun to write to the ring buffer */
	const u64 *names_begun;
	struct lost_ring *lost_rings;
	struct owner_line *owners;
	const struct dead_context *dead_contexts;
	const u32 *dead_contexts_n;
	/* libaio contexts and processes in dead_contexts that repair.c has processed */
	u32 dead_contexts_done;
	struct notes *notes;
	struct recorder *recorder; /* NULL if nothing is recorded */
	/* accesses recorded without the name of their process or file */
	u64 unnamed;
	/* number of implausible or incomplete records of the preloaded library */
	u64 refused;
	struct record_lane *lanes;
	u32 lanes_n, record_rings_n;
	int record_rings[RECORD_RINGS], names_ring;

	struct span_total *totals, app_totals[APP_SPANS];

	/* The counters at the last cut (see interval.h). groups_seen is indexed by GROUP_ROW();
	 * NULL means that the group had no access at the layer. parts_seen has all parts. */
	struct sum **groups_seen;
	struct parts parts_seen;

	/* file descriptor of the BPF program scan_one_queue(); -1: not loaded */
	int scan_program;
	const struct queue *queues; /* points into the data of the BPF programs */
	struct medians *medians;    /* NULL until the first maps_update_medians() */
	/* by struct slot: start_ns of the access that repair.c suspected to be lost */
	u64 *suspects;
	/* io_uring and libaio requests that ended with their process; not in *losses */
	u64 repaired_rings;
	/* such io_uring requests without a word in .owners; not in repaired_rings either */
	u64 unlisted_rings;
	u64 checked_ns; /* time of the last maps_repair() */
	/* this process is in the first pid namespace, so its process ids are the kernel's */
	bool init_pidns;
	bool per_cgroup, per_part, per_process, vfs_groups;
	/* NULL, like retire, if the numbers of removed groups are not reused */
	struct group_states *states;
	struct retire *retire;
};

/* Copies @size bytes, in whole words, that other programs may write meanwhile. Each word is read
 * once, so a check of the copy holds. */
static inline void maps_copy(void *to, const void *from, size_t size)
{
	typedef u64 __attribute__((may_alias)) any;
	const volatile any *shared = from;
	any *word = to;

	for (size_t i = 0; i < size / sizeof(*word); i++)
		word[i] = shared[i];
}

static inline struct cell maps_cell(const struct maps *m, u32 cell)
{
	struct cell copy;

	maps_copy(&copy, &m->cells[cell], sizeof(copy));
	return copy;
}

/* Returns the set of a group's accesses to which those of @c belong. */
static inline enum group_set cell_group_set(const struct cell *c)
{
	return c->disk != DISK_VFS ? SET_DEVICE : c->op == VFS_SYNC ? SET_SYNC : SET_VFS;
}

/* Returns how many sets of a group's accesses (enum group_set) are measured, from the first. */
static inline u32 maps_group_sets(const struct maps *m)
{
	return m->vfs_groups ? GROUP_SETS : SET_DEVICE + 1;
}

static inline u32 maps_stripes(const struct maps *m, u32 row)
{
	return 1U << (row < m->row_groups ? m->stripe_bits : m->group_bits);
}

/* Returns the index in m->rows of copy (stripe) @i of row @row, see bpf/maps.bpf.h. */
static inline u32 maps_stripe(const struct maps *m, u32 row, u32 i)
{
	if (row < m->row_groups)
		return (row << m->stripe_bits) + i;
	return (m->row_groups << m->stripe_bits) + ((row - m->row_groups) << m->group_bits) + i;
}

/* Returns the highest group number plus 1; 0: no groups (per_cgroup is false). */
static inline u32 maps_groups(const struct maps *m)
{
	u32 n = m->per_cgroup ? *m->groups_n : 0;

	return n < m->max_groups + 1 ? n : m->max_groups + 1;
}

static inline u32 maps_cells(const struct maps *m)
{
	return *m->cells_n < m->max_cells ? *m->cells_n : m->max_cells;
}

static inline u32 maps_slots(const struct maps *m)
{
	return *m->slots_n < m->max_slots ? *m->slots_n : m->max_slots;
}

/* Returns the number of accesses in all copies of struct row number @row. */
u64 maps_accesses(const struct maps *m, u32 row);

/* Adds all per-CPU copies of struct row number @row to @to. */
void maps_add_row(const struct maps *m, u32 row, struct sum *to);

void maps_add_counts(struct cell_counts *to, const struct cell_counts *from);

/* Returns true if process @tgid no longer exists; false if unknown in another pid namespace. */
bool maps_process_exited(const struct maps *m, u32 tgid);

#endif
