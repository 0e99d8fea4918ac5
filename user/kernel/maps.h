/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps of the kernel programs, as this process has them mapped. tracer-maps.c maps them,
 * measure*.c reads them, repair.c and retire.c change them. */
#ifndef IOSPAN_MAPS_H
#define IOSPAN_MAPS_H

#include "bpf/abi.h"
#include "user/metric/measurement.h"

/* A group_part and the number of its group. */
struct numbered_part {
	struct group_part part;
	u32 group;
};

struct parts {
	struct numbered_part *list;
	u32 n;
};

/* T of one span without the limit of its word: see span-word.h. */
struct span_total {
	u64 ns;
	u64 last_ns; /* span_time_ns() up to which @ns counts */
	u64 read_ns; /* @ns at the last maps_measure(); @ns never falls below it */
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
	struct cell_counts *cell_counts; /* per_part */
	struct group *groups;
	u32 max_cells, max_groups, max_slots, max_spans;
	u32 leaves; /* per cell; with per_part, one more span follows them */
	u32 row_groups, max_rows;
	u32 stripe_bits; /* log2 of the stripes of a row */
	u32 group_bits;	 /* log2 of those of a group's row or a cell */

	/* in the data sections of the kernel programs */
	const u32 *disks_n, *cells_n, *slots_n, *groups_n;
	struct losses *losses;
	const u64 *names_begun; /* recording: count of struct named_record */
	struct lost_ring *lost_rings;
	struct owner_line *owners;
	const struct dead_context *dead_contexts;
	const u32 *dead_contexts_n;
	u32 dead_contexts_done; /* number of *dead_contexts_n that repair.c has processed */
	struct notes *notes;
	struct recorder *recorder; /* NULL: nothing is recorded */
	u64 unnamed;		   /* accesses recorded without process or file */
	u64 refused;		   /* entries of the lanes that cannot be right */
	struct record_lane *lanes;
	u32 lanes_n, record_rings_n;
	int record_rings[RECORD_RINGS], names_ring;

	struct span_total *totals, app_totals[APP_SPANS];

	/* read at the last cut: sums per group and layer (NULL: nothing), and all parts */
	struct sum **groups_seen;
	struct parts parts_seen;

	int scan_program;	    /* descriptor of scan_one_queue(); -1: not loaded */
	const struct queue *queues; /* in the data of the kernel programs */
	struct medians *medians;    /* NULL: none yet */
	u64 *suspects;		    /* start_ns that repair.c suspected, per slot */
	u64 repaired_rings;	    /* requests of programs that died; not in *losses */
	u64 unlisted_rings;	    /* such requests for which owners had no word; not in *losses */
	u64 checked_ns;		    /* time of the last maps_repair() */
	bool init_pidns; /* we are in the first pid namespace, as the kernel's numbers are */
	bool per_cgroup, per_part, per_process, vfs_groups;
	struct group_states *states; /* NULL: groups keep their numbers; so is retire */
	struct retire *retire;
};

/* Copies @size bytes, whole words, from memory that others may write at the same time: the kernel
 * programs and, in the app area, any measured program. Each word is read once, so a check of the
 * copy holds when the copy is used. */
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

/* Index in m->rows of stripe @i of @row; see row_here() and group_row_here() in bpf/maps.bpf.h. */
static inline u32 maps_stripe(const struct maps *m, u32 row, u32 i)
{
	if (row < m->row_groups)
		return (row << m->stripe_bits) + i;
	return (m->row_groups << m->stripe_bits) + ((row - m->row_groups) << m->group_bits) + i;
}

/* Numbers below this one have been given to groups. */
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

/* The accesses of @row over all its stripes. */
u64 maps_accesses(const struct maps *m, u32 row);

/* Adds all stripes of @row to @to. */
void maps_add_row(const struct maps *m, u32 row, struct sum *to);

void maps_add_counts(struct cell_counts *to, const struct cell_counts *from);

/* Whether process @tgid no longer exists. False if this pid namespace does not show that. */
bool maps_process_exited(const struct maps *m, u32 tgid);

#endif
