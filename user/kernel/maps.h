/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BPF maps, mapped into the memory of this process. tracer-maps.c maps them, measure*.c reads
 * them, repair.c and retire.c change them. Words of this file:
 *
 * - access: one I/O, with its start, end and bytes;
 * - span: measures T, the time in which at least one access is in flight;
 * - group: a cgroup or process with counters of its own;
 * - row: counters of a set of accesses, in several copies (stripes), so that CPUs do not all write
 * to one copy;
 * - cell: the indices of the rows and spans of one group, disk and operation;
 * - OP_BOTH cell: a cell for both the reads and the writes of one group on one disk;
 * - leaf: one of several spans of a disk's cell. Each access changes only one leaf, so that CPUs do
 * not all change one span;
 * - part: the sum of a group for one layer, disk and operation;
 * - lost completion: a completion that no BPF program saw. */
#ifndef IOSPAN_MAPS_H
#define IOSPAN_MAPS_H

#include <stddef.h>

#include "bpf/abi.h"
#include "bpf/pause.h"
#include "user/metric/measurement.h"

/* One part (struct group_part), with the numbers of its group, disk and cell. If part.op is
 * OP_BOTH, the part is for reads and writes together, and has only times. A group uses a disk while
 * it has a read or write in flight on it: part.span_ns is this time. .shared_ns is the time in
 * which other groups also used the disk. .joint_ns is the time in which the selected group
 * (selected.h) also used the disk. */
struct numbered_part {
	struct group_part part;
	u64 shared_ns, joint_ns;
	u32 group;
	/* Index of the cell. .group does not identify the cell, because a group may have two cells:
	 * one of them is for its child cgroups without counters of their own. */
	u32 cell;
};

struct parts {
	struct numbered_part *list;
	u32 n;
};

/* T of a span since the start of the measurement. In the kernel's map, T has 44 bits, which
 * overflow after 4.9 hours. So maps_sample() runs more often. It adds the increase of T since its
 * last run to .ns. */
struct span_total {
	u64 ns;
	/* T in the kernel's map when maps_sample() last ran */
	u64 last_ns;
	/* total that maps_measure() last reported; the total never shrinks below it */
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
	struct cell_counts *cell_counts; /* used only if .per_part is true */
	struct group *groups;
	struct pause *pauses; /* used only with tracer_options.pressure */
	u32 max_cells, max_groups, max_slots, max_spans;
	/* Number of leaves of a disk's cell. The leaves are consecutive elements of .spans. If each
	 * group has counters per disk and operation (.per_part), the element after the leaves
	 * measures T of the whole cell. */
	u32 leaves;
	u32 row_groups, max_rows;
	/* log2 of the number of stripes of each row that belongs to a disk or to a kernel interface
	 * (enum source) */
	u32 stripe_bits;
	/* log2 of the number of stripes of each row that belongs to a group, and of each struct
	 * cell_counts */
	u32 group_bits;

	/* The pointers from here to .dead_contexts_n, and .notes, point to variables of the BPF
	 * programs. */
	const u32 *disks_n, *cells_n, *slots_n, *groups_n;
	struct losses *losses;
	/* if recording: number of names (of processes and files) that BPF programs started to
	 * record */
	const u64 *names_begun;
	struct lost_ring *lost_rings;
	struct owner_line *owners;
	const struct dead_context *dead_contexts;
	const u32 *dead_contexts_n;
	/* Number of elements of .dead_contexts that repair.c has handled so far. An element is a
	 * destroyed libaio context or an exited process. */
	u32 dead_contexts_done;
	struct notes *notes;
	struct recorder *recorder; /* writes accesses to a trace; NULL: nothing is recorded */
	/* accesses recorded without the name of their process or file */
	u64 unnamed;
	/* number of records of the preloaded library that iospan dropped, because they were
	 * implausible or incomplete */
	u64 refused;
	struct record_lane *lanes;
	u32 lanes_n, record_rings_n;
	int record_rings[RECORD_RINGS], names_ring;

	struct span_total *totals, app_totals[APP_SPANS];
	/* Times in which groups share a disk. A group uses a disk while it has a read or write in
	 * flight on it. .shares has an element per OP_BOTH cell: the time in which the cell's group
	 * and another group both used the disk. .disk_shares has an element per disk: the time in
	 * which at least two groups used the disk. */
	struct span_total *shares, disk_shares[MAX_DISKS];
	/* per OP_BOTH cell: time in ns in which only the cell's group used the disk, as in the last
	 * report */
	u64 *alone;
	struct selected *selected; /* the selected group (selected.h); NULL: none so far */

	/* Counters at the end of the previous interval (interval.h). .groups_seen has an element
	 * for each group and set (enum group_set), with index GROUP_ROW(). The element is NULL
	 * if there were no accesses. .parts_seen has the parts of all groups. */
	struct sum **groups_seen;
	struct parts parts_seen;

	/* file descriptor of the BPF program scan_one_queue(), which finds lost completions; -1:
	 * not loaded */
	int scan_program;
	const struct queue *queues; /* points into the data of the BPF programs */
	struct medians *medians;    /* NULL until the first maps_update_medians() */
	/* per slot (map element of a request in flight): start_ns of the last request for which
	 * repair.c suspected a lost completion */
	u64 *suspects;
	/* Number of io_uring and libaio requests that repair.c ended because their process had
	 * exited. Does not include .unlisted_rings. */
	u64 repaired_rings;
	/* Number of io_uring requests that repair.c ended because their process had exited. Counts
	 * only requests for which the table .owners had no room. */
	u64 unlisted_rings;
	u64 checked_ns; /* time of the last maps_repair() */
	/* true: iospan is in the outermost pid namespace. Otherwise the process ids in the maps are
	 * not valid for iospan. */
	bool init_pidns;
	bool per_cgroup, per_part, per_process, vfs_groups;
	/* true: iospan also measures the time in which at least one of two layers has an access in
	 * flight. The layers are vfs and device for .joint_vfs, app and device for .joint_app. */
	bool joint_vfs, joint_app;
	bool selectable; /* true: selected_set() may select a group */
	/* .states: for each group number, whether it is in use, removed or free. .retire: state of
	 * retire.c, which frees the numbers of removed groups. Both are NULL if these numbers are
	 * not reused. */
	struct group_states *states;
	struct retire *retire;
	struct pressures *pressures; /* NULL: pressure is not measured */
};

/* Copies @size bytes, in words of 64 bits. Other programs may change them at the same time. So each
 * word is read only once: the caller checks a value in the copy, where it cannot change. */
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

static inline bool cell_is_both(const struct cell *c)
{
	return c->group && c->disk < MAX_DISKS && c->op == OP_BOTH;
}

/* Returns the set (enum group_set) to which the accesses of cell @c with a lost completion are
 * added. For the device layer, a group has two sets, but the cell has only one counter of such
 * accesses. So they are all added to SET_ALONE. */
static inline enum group_set cell_group_set(const struct cell *c)
{
	return c->disk != DISK_VFS ? SET_ALONE : c->op == VFS_SYNC ? SET_SYNC : SET_VFS;
}

/* Returns the number of sets (enum group_set) that are measured for a group. They are the first
 * sets of the enum: the sets of the vfs layer, which may not be measured, come last. */
static inline u32 maps_group_sets(const struct maps *m)
{
	return m->vfs_groups ? GROUP_SETS : SET_SHARED + 1;
}

static inline u32 maps_stripes(const struct maps *m, u32 row)
{
	return 1U << (row < m->row_groups ? m->stripe_bits : m->group_bits);
}

/* Returns the index in m->rows of stripe @i of row number @row. */
static inline u32 maps_stripe(const struct maps *m, u32 row, u32 i)
{
	if (row < m->row_groups)
		return (row << m->stripe_bits) + i;
	return (m->row_groups << m->stripe_bits) + ((row - m->row_groups) << m->group_bits) + i;
}

/* Returns the highest group number plus 1. Returns 0 if groups are not measured. */
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

/* Returns the number of accesses in row number @row, summed over its stripes. */
u64 maps_accesses(const struct maps *m, u32 row);

/* Adds all stripes of row number @row to @to. */
void maps_add_row(const struct maps *m, u32 row, struct sum *to);

void maps_add_counts(struct cell_counts *to, const struct cell_counts *from);

/* Returns true if process @tgid has exited. If iospan is in another pid namespace, it cannot know
 * this, and returns false. */
bool maps_process_exited(const struct maps *m, u32 tgid);

#endif
