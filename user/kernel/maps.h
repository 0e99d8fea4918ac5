/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps of the BPF programs, as mapped into this process. tracer-maps.c maps them, measure*.c
 * reads them, repair.c and retire.c change them. */
#ifndef IOSPAN_MAPS_H
#define IOSPAN_MAPS_H

#include "bpf/abi.h"
#include "user/metric/measurement.h"

/* A struct group_part and the number of its group. */
struct numbered_part {
	struct group_part part;
	u32 group;
};

struct parts {
	struct numbered_part *list;
	u32 n;
};

/* T of one span. It has no limit, whereas the span word counts modulo 2^44 ns: see span-word.h. */
struct span_total {
	u64 ns;
	u64 last_ns; /* the last result of span_time_ns() that was added to ns */
	u64 read_ns; /* value of ns at the last maps_measure(); ns never falls below it */
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
	/* number of leaves (struct cell) per cell; with per_part, one more span follows them */
	u32 leaves;
	u32 row_groups, max_rows;
	/* log2 of the number of per-CPU copies of a disk's or source's struct row */
	u32 stripe_bits;
	/* log2 of the number of per-CPU copies of a group's struct row and of a struct
	 * cell_counts */
	u32 group_bits;

	/* The following pointers are to variables of the BPF programs. */
	const u32 *disks_n, *cells_n, *slots_n, *groups_n;
	struct losses *losses;
	const u64 *names_begun; /* recording: number of struct named_record that were begun */
	struct lost_ring *lost_rings;
	struct owner_line *owners;
	const struct dead_context *dead_contexts;
	const u32 *dead_contexts_n;
	/* number of dead contexts that repair.c has already processed */
	u32 dead_contexts_done;
	struct notes *notes;
	struct recorder *recorder; /* NULL if nothing is recorded */
	/* number of accesses that were recorded without their process or file */
	u64 unnamed;
	u64 refused; /* number of implausible or incomplete entries in lanes (struct record_lane) */
	struct record_lane *lanes;
	u32 lanes_n, record_rings_n;
	int record_rings[RECORD_RINGS], names_ring;

	struct span_total *totals, app_totals[APP_SPANS];

	/* Values at the last cut (see interval.h): the sum of each group and layer, which is NULL
	 * if it had no access, and all parts. */
	struct sum **groups_seen;
	struct parts parts_seen;

	/* file descriptor of the BPF program scan_one_queue(); -1: not loaded */
	int scan_program;
	const struct queue *queues; /* points into the data of the BPF programs */
	struct medians *medians;    /* NULL until the first maps_update_medians() */
	/* per slot (struct slot): start_ns of the access that repair.c suspected to be lost */
	u64 *suspects;
	u64 repaired_rings; /* number of requests of programs that died; not in *losses */
	/* number of io_uring requests of such programs that had no word in owners; not in
	 * *losses */
	u64 unlisted_rings;
	u64 checked_ns; /* time of the last maps_repair() */
	/* true if this process is in the first pid namespace, so that its process ids are those of
	 * the kernel */
	bool init_pidns;
	bool per_cgroup, per_part, per_process, vfs_groups;
	/* NULL if groups keep their numbers; retire is then NULL, too */
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

static inline u32 maps_stripes(const struct maps *m, u32 row)
{
	return 1U << (row < m->row_groups ? m->stripe_bits : m->group_bits);
}

/* Returns the index in m->rows of copy (stripe) @i of struct row number @row. See row_here() and
 * group_row_here() in bpf/maps.bpf.h. */
static inline u32 maps_stripe(const struct maps *m, u32 row, u32 i)
{
	if (row < m->row_groups)
		return (row << m->stripe_bits) + i;
	return (m->row_groups << m->stripe_bits) + ((row - m->row_groups) << m->group_bits) + i;
}

/* Returns a number that is higher than that of every group; 0 if there are no groups
 * (per_cgroup). */
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

/* Returns true if process @tgid no longer exists. Returns false if this pid namespace does not show
 * that. */
bool maps_process_exited(const struct maps *m, u32 tgid);

#endif
