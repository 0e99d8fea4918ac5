/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BPF maps, mapped into the memory of this process. tracer-maps.c maps them, measure*.c reads
 * them, repair.c and retire.c change them. Words of this file:
 *
 * - access: one I/O, with its start, end and bytes;
 * - span: measures T, the time in which at least one access is in flight;
 * - group: a cgroup or process with counters of its own;
 * - row: counters of a set of accesses;
 * - cell: the indices of the rows and spans of one group, disk and operation;
 * - part: the sum of a group for one layer, disk and operation. */
#ifndef IOSPAN_MAPS_H
#define IOSPAN_MAPS_H

#include <stddef.h>

#include "bpf/abi.h"
#include "bpf/pause.h"
#include "user/metric/measurement.h"

/* The part of one group. OP_BOTH stands for reads and writes together. A part for OP_BOTH has only
 * times: T of the group on the disk, the time in which other groups also used the disk
 * (.shared_ns), and the time in which the selected group (selected.h) also used the disk
 * (.joint_ns). */
struct numbered_part {
	struct group_part part;
	u64 shared_ns, joint_ns;
	bool stacked; /* with OP_BOTH: the disk is stacked on others */
	u32 group;
	/* Indices of the disk and the cell. Parts of two disks can have the same device number,
	 * because the kernel reuses device numbers. Parts of two cells can have the same group,
	 * because the child cgroups without counters of their own have a separate cell. */
	u32 disk, cell;
};

struct parts {
	struct numbered_part *list;
	u32 n;
};

/* T of a span since the start of the measurement. The kernel's map has only 44 bits for T, which
 * overflow after 4.9 hours. So maps_sample() runs more often and adds the increase of T since its
 * last run to .ns. */
struct span_total {
	u64 ns;
	/* T in the kernel's map when .ns was last updated */
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
	/* Number of leaves of a cell. The leaves are spans among which the accesses of the cell are
	 * divided, so that CPUs do not all update one span. With .per_part, one more span, the
	 * union of the leaves, follows them. */
	u32 leaves;
	u32 row_groups, max_rows;
	/* log2 of the number of copies (stripes) of each row of a disk or kernel interface (enum
	 * source) */
	u32 stripe_bits;
	/* log2 of the number of copies (stripes) of each row of a group, and of the counters of a
	 * cell */
	u32 group_bits;

	/* disks_n to dead_contexts_n, and notes, point to variables of the BPF programs. */
	const u32 *disks_n, *cells_n, *slots_n, *groups_n;
	struct losses *losses;
	/* if recording: number of names of processes and files that BPF programs have started to
	 * write to the ring buffer */
	const u64 *names_begun;
	struct lost_ring *lost_rings;
	struct owner_line *owners;
	const struct dead_context *dead_contexts;
	const u32 *dead_contexts_n;
	/* Number of elements of dead_contexts that repair.c has handled. An element is a destroyed
	 * libaio context or an exited process. */
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
	/* Times in which groups share a disk. A group uses a disk while it has a read or write in
	 * flight on it. .shares, per OP_BOTH cell: time in which the cell's group and another group
	 * both used the disk. .disk_shares, per disk: time in which at least two groups used the
	 * disk. */
	struct span_total *shares, disk_shares[MAX_DISKS];
	/* per OP_BOTH cell: time in ns, as last reported, in which only the cell's group used the
	 * disk */
	u64 *alone;
	struct selected *selected; /* the selected group (selected.h); NULL: none so far */

	/* Counters at the end of the previous interval (interval.h). .groups_seen is indexed by
	 * GROUP_ROW(); an element is NULL if the group had no such accesses. .parts_seen has the
	 * parts of all groups. */
	struct sum **groups_seen;
	struct parts parts_seen;

	/* file descriptor of the BPF program scan_one_queue(), which finds requests with a lost
	 * completion; -1: not loaded */
	int scan_program;
	const struct queue *queues; /* points into the data of the BPF programs */
	struct medians *medians;    /* NULL until the first maps_update_medians() */
	/* per slot (map entry of a request in flight): start_ns of the last request that repair.c
	 * suspected to have lost its completion */
	u64 *suspects;
	/* number of io_uring and libaio requests that repair.c ended after their process had
	 * exited */
	u64 repaired_rings;
	/* as .repaired_rings, but for io_uring requests for which the table .owners had no room;
	 * .repaired_rings does not count them */
	u64 unlisted_rings;
	u64 checked_ns; /* time of the last maps_repair() */
	/* true if iospan is in the outermost pid namespace; otherwise the process ids in the maps
	 * are not valid for iospan */
	bool init_pidns;
	bool per_cgroup, per_part, per_process, vfs_groups;
	/* true: iospan also measures the time in which the vfs (app) layer or the device layer, or
	 * both, have accesses in flight */
	bool joint_vfs, joint_app;
	bool selectable; /* true: selected_set() may select a group */
	/* Both are NULL if the numbers of removed groups are not reused. .states: for each group
	 * number, whether it is in use, removed or free. .retire: state of retire.c, which frees
	 * numbers. */
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

/* Returns true if @c is an OP_BOTH cell: the reads and writes of one group on one disk. */
static inline bool cell_is_both(const struct cell *c)
{
	return c->group && c->disk < MAX_DISKS && c->op == OP_BOTH;
}

/* Returns the set (enum group_set) in which the accesses of cell @c are counted for its group. A
 * disk's cell has accesses of two sets, SET_ALONE and SET_SHARED. For such a cell, returns
 * SET_ALONE. */
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

/* Returns the index in m->rows of copy @i of row number @row. A row has several copies (stripes),
 * so that CPUs do not all write to one copy. */
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

/* Returns true if process @tgid no longer exists. Returns false if the process exists, or if iospan
 * is in another pid namespace and so cannot know. */
bool maps_process_exited(const struct maps *m, u32 tgid);

#endif
