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

/* One part (struct group_part), with the numbers of its group, disk and cell. OP_BOTH stands for
 * reads and writes together. A part for OP_BOTH has only times. part.span_ns is the time in which
 * the group used the disk, that is, had a read or write in flight on it. .shared_ns is the time in
 * which other groups also used the disk. .joint_ns is the time in which the selected group
 * (selected.h) also used the disk. */
struct numbered_part {
	struct group_part part;
	u64 shared_ns, joint_ns;
	/* true: the disk is stacked on other disks (dm, md); set only if part.op is OP_BOTH */
	bool stacked;
	u32 group;
	/* Index of the disk (only if part.op is OP_BOTH), and index of the cell. part.dev does not
	 * identify the disk, because the kernel reuses device numbers. .group does not identify the
	 * cell: the child cgroups without counters of their own have a separate cell with the same
	 * group. */
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
	/* T of the span in the kernel's map when .ns was last updated */
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
	/* Number of leaves of a cell. Leaves are spans. Each access of a cell is in one of its
	 * leaves, so that CPUs do not all update one span. The leaves are neighbours in .spans. If
	 * .per_part is set, the next span measures T of the whole cell. */
	u32 leaves;
	u32 row_groups, max_rows;
	/* binary logarithm of the number of copies (stripes) of each row that belongs to a disk or
	 * to an interface of the kernel (enum source) */
	u32 stripe_bits;
	/* binary logarithm of the number of copies (stripes) of each row that belongs to a group,
	 * and of a cell's element of .cell_counts */
	u32 group_bits;

	/* The pointers from here to .dead_contexts_n, and .notes, point to variables of the BPF
	 * programs. */
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
	 * flight on it. .shares has one element per OP_BOTH cell: the time in which the cell's
	 * group and another group both used the disk. .disk_shares has one element per disk: the
	 * time in which at least two groups used the disk. */
	struct span_total *shares, disk_shares[MAX_DISKS];
	/* per OP_BOTH cell: the time in ns in which only the cell's group used the disk, as stated
	 * in the last report */
	u64 *alone;
	struct selected *selected; /* the selected group (selected.h); NULL: none so far */

	/* Counters at the end of the previous interval (interval.h). .groups_seen is indexed by
	 * GROUP_ROW(). An element is NULL if its group and set (enum group_set) had no accesses.
	 * .parts_seen has the parts of all groups. */
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
	/* number of io_uring and libaio requests that repair.c ended because their process had
	 * exited */
	u64 repaired_rings;
	/* number of further io_uring requests that repair.c ended because their process had exited:
	 * the table .owners had no room for them */
	u64 unlisted_rings;
	u64 checked_ns; /* time of the last maps_repair() */
	/* true if iospan is in the outermost pid namespace; otherwise the process ids in the maps
	 * are not valid for iospan */
	bool init_pidns;
	bool per_cgroup, per_part, per_process, vfs_groups;
	/* true: iospan also measures the time in which at least one of two layers has an access in
	 * flight. .joint_vfs: layers vfs and device. .joint_app: layers app and device. */
	bool joint_vfs, joint_app;
	bool selectable; /* true: selected_set() may select a group */
	/* These two are NULL if the numbers of removed groups are not reused. .states: for each
	 * group number, whether it is in use, removed or free. .retire: state of retire.c, which
	 * frees numbers. */
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

/* Returns the set (enum group_set) to which the lost accesses of cell @c are added. The device
 * layer has two sets. Lost accesses of this layer are added to SET_ALONE, because BPF programs do
 * not count them per set. */
static inline enum group_set cell_group_set(const struct cell *c)
{
	return c->disk != DISK_VFS ? SET_ALONE : c->op == VFS_SYNC ? SET_SYNC : SET_VFS;
}

/* Returns the number of sets (enum group_set) that are measured for a group. The sets of the vfs
 * layer come last in the enum, so the measured sets are 0, 1, 2 and so on. */
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
