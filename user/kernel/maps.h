/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps of the BPF programs, as mapped into the memory of this process. tracer-maps.c maps them,
 * measure*.c reads them, repair.c and retire.c change them. */
#ifndef IOSPAN_MAPS_H
#define IOSPAN_MAPS_H

#include "bpf/abi.h"
#include "user/metric/measurement.h"

/* A part (counters by layer, disk and operation) and the number of its group. */
struct numbered_part {
	struct group_part part;
	u32 group;
};

struct parts {
	struct numbered_part *list;
	u32 n;
};

/* T of one span since the start of the measurement. The word in struct span counts only modulo 2^44
 * ns (4.9 hours), so the time between two readings of the word is added here. */
struct span_total {
	u64 ns;
	u64 last_ns; /* T in the word, as span_time_ns() returned it, at the last addition to ns */
	/* ns at the last maps_measure(). It was reported, so ns must not become less. */
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
	struct cell_counts *cell_counts; /* used only with per_part */
	struct group *groups;
	u32 max_cells, max_groups, max_slots, max_spans;
	/* number of leaves of a cell, the spans among which its accesses are divided (struct cell);
	 * with per_part, one more span follows them */
	u32 leaves;
	u32 row_groups, max_rows;
	/* log2 of the number of per-CPU copies of the counters of a disk, or of an enum source at
	 * the vfs layer */
	u32 stripe_bits;
	/* log2 of the number of per-CPU copies of the counters of a group or a cell */
	u32 group_bits;

	/* The following pointers are to variables of the BPF programs. */
	const u32 *disks_n, *cells_n, *slots_n, *groups_n;
	struct losses *losses;
	/* if recording: number of names (struct named_record) that BPF programs have begun to write
	 * to the ring buffer */
	const u64 *names_begun;
	struct lost_ring *lost_rings;
	struct owner_line *owners;
	const struct dead_context *dead_contexts;
	const u32 *dead_contexts_n;
	/* number of libaio contexts and processes in dead_contexts that repair.c has processed */
	u32 dead_contexts_done;
	struct notes *notes;
	struct recorder *recorder; /* NULL if nothing is recorded */
	/* number of accesses that were recorded without a name of their process or file */
	u64 unnamed;
	/* number of implausible or incomplete records of the preloaded library (struct
	 * record_lane) */
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
	/* indexed by number of a struct slot (a request in flight): start_ns of the access that
	 * repair.c suspected to be lost at its last check */
	u64 *suspects;
	/* number of io_uring and libaio requests that repair.c ended because their process had
	 * exited; *losses lacks them */
	u64 repaired_rings;
	/* number of such io_uring requests to which no word in .owners referred; neither
	 * repaired_rings nor *losses has them */
	u64 unlisted_rings;
	u64 checked_ns; /* time of the last maps_repair() */
	/* true if this process is in the first pid namespace, so that its process ids are those of
	 * the kernel */
	bool init_pidns;
	bool per_cgroup, per_part, per_process, vfs_groups;
	/* NULL: the numbers of removed groups are not reused; retire is then NULL, too */
	struct group_states *states;
	struct retire *retire;
};

/* Copies @size bytes, in whole words, from memory that other programs may write at the same time:
 * BPF programs or, in the app area, any measured program. Each word is read once, so a check of the
 * copy still holds when the copy is used. */
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

/* Counters (struct row) have several copies, so that CPUs need not share them. Returns the index in
 * m->rows of copy @i of struct row number @row. See row_here() and group_row_here() in
 * bpf/maps.bpf.h. */
static inline u32 maps_stripe(const struct maps *m, u32 row, u32 i)
{
	if (row < m->row_groups)
		return (row << m->stripe_bits) + i;
	return (m->row_groups << m->stripe_bits) + ((row - m->row_groups) << m->group_bits) + i;
}

/* Returns one more than the highest group number; 0 if there are no groups (per_cgroup is
 * false). */
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

/* Returns the number of accesses in all per-CPU copies of struct row number @row. */
u64 maps_accesses(const struct maps *m, u32 row);

/* Adds all per-CPU copies of struct row number @row to @to. */
void maps_add_row(const struct maps *m, u32 row, struct sum *to);

void maps_add_counts(struct cell_counts *to, const struct cell_counts *from);

/* Returns true if process @tgid no longer exists. Returns false if that is not known, because this
 * process is in another pid namespace. */
bool maps_process_exited(const struct maps *m, u32 tgid);

#endif
