/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BPF maps, mapped into the memory of this process. tracer-maps.c maps them, measure*.c reads
 * them, repair.c and retire.c change them. A row (struct row) has the counters of a set of
 * accesses. A cell (struct cell) has the indices of the counters and spans of one group, disk and
 * operation. A part is the sum of a group for one layer, disk and operation. A repair ends an
 * access with a lost completion. */
#ifndef IOSPAN_MAPS_H
#define IOSPAN_MAPS_H

#include <stddef.h>

#include "bpf/abi.h"
#include "bpf/pause.h"
#include "user/metric/measurement.h"

/* Counters of a group for one layer, disk and operation, and the number of the group. The part for
 * operation OP_BOTH has only times: T of the group's own reads and writes on the disk, the time in
 * which the group shared the disk with others (.shared_ns), and the time in which it and the
 * selected group both used the disk (.joint_ns). */
struct numbered_part {
	struct group_part part;
	u64 shared_ns, joint_ns;
	bool stacked; /* with OP_BOTH: the disk is stacked */
	u32 group;
	/* .disk: index of the disk. .cell: index of the cell. They distinguish parts that have the
	 * same device number, because the kernel reuses device numbers, and parts that have the
	 * same group, because cgroups without counters of their own have separate cells. */
	u32 disk, cell;
};

struct parts {
	struct numbered_part *list;
	u32 n;
};

/* T (bpf/span-word.h) of a span since the start of the measurement. The word in the kernel's map has
 * only 44 bits for T, which wraps after 4.9 hours. So maps_sample() runs more often than that, and
 * adds the increase of T since its last run to .ns. */
struct span_total {
	u64 ns;
	/* T that span.word had when .ns was last updated */
	u64 last_ns;
	/* value of .ns that maps_measure() last reported; .ns never shrinks below it */
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
	struct pause *pauses; /* used only with tracer_options.pressure */
	u32 max_cells, max_groups, max_slots, max_spans;
	/* Number of leaves of a cell. The leaves are spans. Each access of the cell is in one leaf,
	 * so that CPUs do not all update the same span. With .per_part, the cell has one more span
	 * after its leaves. */
	u32 leaves;
	u32 row_groups, max_rows;
	/* log2 of the number of copies (stripes) of the counters of a disk or an enum source */
	u32 stripe_bits;
	/* log2 of the number of copies (stripes) of the counters of a group or cell */
	u32 group_bits;

	/* The following fields point to variables of the BPF programs. */
	const u32 *disks_n, *cells_n, *slots_n, *groups_n;
	struct losses *losses;
	/* if recording: number of names of processes and files that BPF programs have started to
	 * write to the ring buffer */
	const u64 *names_begun;
	struct lost_ring *lost_rings;
	struct owner_line *owners;
	const struct dead_context *dead_contexts;
	const u32 *dead_contexts_n;
	/* number of elements of dead_contexts that repair.c has handled; each element is a
	 * destroyed libaio context or an exited process */
	u32 dead_contexts_done;
	struct notes *notes;
	struct recorder *recorder; /* writes accesses to a trace; NULL: nothing is recorded */
	/* accesses recorded without the name of their process or file */
	u64 unnamed;
	/* number of implausible or incomplete records of the preloaded library */
	u64 refused;
	struct record_lane *lanes;
	u32 lanes_n, record_rings_n;
	int record_rings[RECORD_RINGS], names_ring;

	struct span_total *totals, app_totals[APP_SPANS];
	/* .shares: for each cell OP_BOTH (by its index), the time in which the cell's group shared
	 * the cell's disk with other groups. .disk_shares: for each disk, the time in which at
	 * least two groups used it. */
	struct span_total *shares, disk_shares[MAX_DISKS];
	/* for each cell OP_BOTH (by its index): T alone as last reported, the time in ns in which
	 * no other group used the disk while the cell's group did */
	u64 *alone;
	struct selected *selected; /* the selected group (selected.h); NULL: none so far */

	/* Counters at the end of the previous interval (interval.h). .groups_seen is indexed by
	 * GROUP_ROW(). An element is NULL if the group had no access at the layer. .parts_seen has
	 * the parts of all groups. */
	struct sum **groups_seen;
	struct parts parts_seen;

	/* file descriptor of the BPF program scan_one_queue(), which finds requests with a lost
	 * completion; -1: not loaded */
	int scan_program;
	const struct queue *queues; /* points into the data of the BPF programs */
	struct medians *medians;    /* NULL until the first maps_update_medians() */
	/* per struct slot: start_ns of the access in it that repair.c suspects to have lost its
	 * completion */
	u64 *suspects;
	/* number of io_uring and libaio requests that repair.c ended after their process had
	 * exited; .losses does not count them */
	u64 repaired_rings;
	/* number of io_uring requests that repair.c ended after their process had exited, and that
	 * had no room in .owners; .repaired_rings and .losses do not count them */
	u64 unlisted_rings;
	u64 checked_ns; /* time of the last maps_repair() */
	/* true if iospan is in the first pid namespace; only then are the process ids in the maps
	 * valid for iospan */
	bool init_pidns;
	bool per_cgroup, per_part, per_process, vfs_groups;
	/* true: the joint span of the vfs or app layer and the device layer is measured */
	bool joint_vfs, joint_app;
	/* .states: for each group number, if it is in use, removed or free (enum group_phase).
	 * .retire: state of retire.c, which frees numbers. Both are NULL if the numbers of
	 * removed groups are not used again. */
	struct group_states *states;
	struct retire *retire;
	struct pressures *pressures; /* NULL: pressure is not measured */
};

/* Copies @size bytes, in words of 64 bits. Other programs may change the bytes at the same time.
 * Each word is read only once, so a value that the caller has checked in the copy cannot change. */
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

/* Returns true if @c is the cell of a group's reads and writes on a disk together. */
static inline bool cell_is_both(const struct cell *c)
{
	return c->group && c->disk < MAX_DISKS && c->op == OP_BOTH;
}

/* Returns the set (enum group_set) in which the accesses of cell @c are counted for its group.
 * Returns SET_ALONE for the cell of a disk, although it has accesses of SET_SHARED, too. */
static inline enum group_set cell_group_set(const struct cell *c)
{
	return c->disk != DISK_VFS ? SET_ALONE : c->op == VFS_SYNC ? SET_SYNC : SET_VFS;
}

/* Returns the number of sets that are measured for a group. These are the first sets of enum
 * group_set. */
static inline u32 maps_group_sets(const struct maps *m)
{
	return m->vfs_groups ? GROUP_SETS : SET_SHARED + 1;
}

static inline u32 maps_stripes(const struct maps *m, u32 row)
{
	return 1U << (row < m->row_groups ? m->stripe_bits : m->group_bits);
}

/* Returns the index in m->rows of copy @i of row number @row. The counters of a row are in several
 * copies (stripes), so that CPUs do not share one. */
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

/* Returns the number of accesses of row number @row, the sum of all its copies (stripes). */
u64 maps_accesses(const struct maps *m, u32 row);

/* Adds all copies (stripes) of row number @row to @to. */
void maps_add_row(const struct maps *m, u32 row, struct sum *to);

void maps_add_counts(struct cell_counts *to, const struct cell_counts *from);

/* Returns true if process @tgid no longer exists. Returns false if it exists, or if iospan cannot
 * know this because it is in another pid namespace. */
bool maps_process_exited(const struct maps *m, u32 tgid);

#endif
