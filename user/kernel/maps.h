/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel programs' maps as this process has them mapped; between tracer-maps.c,
 * which maps them, measure.c, which reads them, and repair.c, which mends them. */
#ifndef IOSPAN_MAPS_H
#define IOSPAN_MAPS_H

#include "user/kernel/tracer.h"

/* A part, and the number of its group. */
struct numbered_part {
	struct group_part part;
	u32 group;
};

struct parts {
	struct numbered_part *list;
	u32 n;
};

/* T of one span so far, beyond what its word holds: see span.h. */
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
	struct cell_counts *cell_counts; /* by parts */
	struct group *groups;
	u32 max_cells, max_groups, max_slots, max_spans;
	u32 leaves; /* of each cell; by parts it has another span above them */
	u32 row_groups, max_rows;
	u32 stripe_bits; /* a row has 1 << stripe_bits stripes, */
	u32 group_bits;	 /* those of groups and cell_counts 1 << group_bits */

	/* in the kernel programs' own data */
	const u32 *disks_n, *cells_n, *slots_n, *groups_n;
	struct losses *losses;
	const u64 *names_begun; /* recording: those of struct named_record */
	struct lost_ring *lost_rings;
	struct owner_line *owners;
	const struct orphans *orphans;
	const u32 *orphans_n;
	u32 orphans_done; /* of *orphans_n */
	struct notes *notes;
	struct recorder *recorder; /* NULL: nobody records */
	u64 unnamed;		   /* accesses whose process or file it has no name for */
	struct record_lane *lanes;
	u32 lanes_n, record_rings_n;
	int record_rings[RECORD_RINGS], names_ring;

	struct span_total *totals, app_totals[APP_SPANS];

	/* the groups' own part as of the last cut, by place; NULL: nothing */
	struct sum **groups_seen;
	struct parts parts_seen;

	int scan_program;	    /* descriptor of scan_one_queue(); -1: it is not there */
	const struct queue *queues; /* the kernel programs' */
	struct usual *usual;	    /* NULL: none yet */
	u64 *suspects;		    /* start of what repair found odd, per slot */
	u64 repaired_rings;	    /* of programs that died; not in *losses */
	u64 checked_ns;		    /* when repair last looked */
	bool init_pidns;	    /* process numbers mean the same here */
	bool per_cgroup, per_part, per_process, vfs_groups;
	struct retire *retire; /* NULL: groups keep their numbers */
};

/* Copies @size bytes, whole words, from memory that others write meanwhile: the kernel programs, and
 * in the app area any measured program. Each word is read once, so a check of the copy holds when
 * the copy is used. */
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

/* Number of stripe @i of @row in m->rows, as row_here() and group_row_here() in bpf/maps.bpf.h. */
static inline u32 maps_stripe(const struct maps *m, u32 row, u32 i)
{
	if (row < m->row_groups)
		return (row << m->stripe_bits) + i;
	return (m->row_groups << m->stripe_bits) + ((row - m->row_groups) << m->group_bits) + i;
}

/* Numbers that groups have, and the rows and spans by them. */
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

#endif
