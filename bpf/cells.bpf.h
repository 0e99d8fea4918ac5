/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the cell of an access, and adds the access to the cell's spans and counters. A cell (struct
 * cell) has the indices of the spans and counters that the accesses of one group, disk and
 * operation change. A vfs cell is for one group and operation at the vfs layer.
 *
 * A span (struct span) measures T of a set of accesses: the time in which at least one of them is
 * in flight. The span is busy while one is in flight, else idle. The cell of a disk has several
 * spans, its leaves; each access changes one leaf. */
#ifndef IOSPAN_CELLS_BPF_H
#define IOSPAN_CELLS_BPF_H

#include "bpf/groups.bpf.h"
#include "bpf/transition.h"

#define OP_MASK 0xff
/* values of the kernel's enum req_op that are the same in all supported kernels */
enum {
	K_READ,
	K_WRITE,
	K_FLUSH,
	K_DISCARD,
	K_SECURE_ERASE = 5,
	K_DRV_IN = 34,
	K_DRV_OUT = 35,
};
_Static_assert((int)K_READ == OP_READ && (int)K_WRITE == OP_WRITE && (int)K_FLUSH == OP_FLUSH &&
		       (int)K_DISCARD == OP_DISCARD,
	       "op_of() returns these values as they are");
#define K_PREFLUSH_BIT 18 /* bit number of the kernel's REQ_PREFLUSH */

struct cell_key {
	u32 group;
	u32 disk;
	u32 op;
};

struct cell_index {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct cell_key);
	__type(value, u32);
};
struct u64_index {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, u32);
};
struct disk_identities {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_DISKS);
	__type(key, struct disk_identity);
	__type(value, u32);
};

extern struct cell_index cell_index SEC(".maps");
/* finds a disk by its device number: the value is an index in the map disks */
extern struct u64_index disk_index SEC(".maps");
/* finds a disk by its identity (struct disk_identity): the value is an index in the map disks */
extern struct disk_identities disk_identities SEC(".maps");

/* true: iospan measures only the disks in wanted_disks (user/kernel/wanted.h) */
extern const volatile bool some_disks;
extern struct u64_index wanted_disks SEC(".maps");

extern const volatile u32 max_cells;
/* number of leaves of a disk's cell, minus 1; the number of leaves is a power of two */
extern const volatile u32 leaf_mask;

extern u32 disks_n, cells_n;

#define CELL_CACHE 4096
extern u32 cell_cache[CELL_CACHE];

/* Adds an ended access to the counters of cell number @cell and of its group. @ns is the latency.
 * @queued is the time in the I/O scheduler in ns. @how has bits of enum cell_how. CELL_SHARED:
 * another group used the disk when the access started. */
enum cell_how { CELL_FAILED = 1, CELL_SHARED = 2 };
int cell_add(u32 cell, u64 bytes, u64 how, u64 ns, u64 queued);

u32 disk_new(u64 address, u32 dev);
/* Returns the cell index of (@group, @disk, @op), and makes the cell if necessary; 0: no room. */
u32 cell_seek(u32 group, u32 disk, u32 op);

static __always_inline u32 disk_dev(struct gendisk *disk)
{
	return dev_number(disk->major, disk->first_minor);
}

static __always_inline bool disk_is_ignored(struct gendisk *disk)
{
	u64 key = disk_dev(disk);

	return some_disks && !bpf_map_lookup_elem(&wanted_disks, &key);
}

static __always_inline enum op op_of(u32 flags)
{
	u32 op = flags & OP_MASK;

	if (LIKELY(op <= K_DISCARD))
		return (enum op)op;
	if (op == K_SECURE_ERASE)
		return OP_DISCARD;
	return op == zone_append() ? OP_WRITE : OP_OTHER;
}

/* Counts @bio for a note in the report if the kernel charges it to a cgroup above the measured
 * cgroups. The kernel does so if it has no memory for a blkcg_gq of the task's own cgroup. Writes
 * are not counted, because the running task often writes data of other tasks. */
static __noinline void note_charged_above(struct bio *bio)
{
	struct cgroup *cg;

	if (attribution != BY_BLKCG || !bio || op_of(bio->bi_opf) != OP_READ ||
	    !bpf_core_field_exists(bio->bi_blkg) || !target_runs())
		return;
	cg = BPF_CORE_READ(bio, bi_blkg, blkcg, css.cgroup);
	if (cg && BPF_CORE_READ(cg, level) < charged.level)
		count(&notes.charged_above);
}

/* Returns the index of @disk in the map disks, or MAX_DISKS if the map is full. */
static __always_inline u32 disk_find(struct gendisk *disk)
{
	u32 dev = disk_dev(disk), *there;
	u64 key = dev;
	struct seen_disk *d;

	there = bpf_map_lookup_elem(&disk_index, &key);
	d = there ? bpf_map_lookup_elem(&disks, there) : NULL;
	if (d && d->diskseq == disk->diskseq)
		return *there;
	/* The address of @disk is read from a field, because the verifier does not accept a typed
	 * pointer as a number. */
	return disk_new((u64)BPF_CORE_READ(disk, part0, bd_disk), dev);
}

static __always_inline bool cell_is(const struct cell *c, u32 group, u32 disk, u32 op)
{
	return c && c->group == group && c->disk == disk && c->op == op;
}

/* Returns the index of the cell of (@group, @disk, @op); 0: no room. First looks in a cache of
 * recently used cells. CPUs share this cache without a lock, so the cache may give a wrong cell.
 * If it does, cell_seek() finds or makes the right cell. */
static __always_inline u32 cell_find(u32 group, u32 disk, u32 op)
{
	u32 h = (group * 2654435769U >> 16) + disk * OP_MAX + op;
	u32 *cached = &cell_cache[h & (CELL_CACHE - 1)];
	u32 i = *(volatile u32 *)cached;

	if (cell_is(bpf_map_lookup_elem(&cells, &i), group, disk, op))
		return i;
	i = cell_seek(group, disk, op);
	*(volatile u32 *)cached = i;
	return i;
}

/* Returns the index of the leaf that an access of cell @c changes. @number selects the leaf. It is
 * the number of the hardware queue or, if the disk takes bios, of the CPU. So CPUs mostly change
 * different leaves. */
static __always_inline u32 cell_leaf(struct cell *c, u32 number)
{
	return c->span + (number & leaf_mask);
}

static __always_inline struct cell *map_cell(struct maps *m, const u32 *cell)
{
	return bpf_map_lookup_elem(&cells, cell);
}

static __always_inline struct group *map_group(struct maps *m, const u32 *group)
{
	return bpf_map_lookup_elem(&groups, group);
}

static __always_inline bool map_span(struct maps *m, u32 span, u64 now, bool busy)
{
	return busy ? enter(span, now) : leave(span, now);
}

static __always_inline enum span_result map_span_result(struct maps *m, u32 span, u64 now,
							bool busy)
{
	int result = busy ? last_result(enter_try(span, now), TRY_ENTER, span, now) :
			    last_result(leave_try(span, now), TRY_LEAVE, span, now);

	return (enum span_result)result;
}

static __always_inline struct span *map_span_at(struct maps *m, u32 span)
{
	return bpf_map_lookup_elem(&spans, &span);
}

/* Returns true if at least two groups use @disk now. */
static __always_inline bool disk_is_shared(u32 disk)
{
	struct span *clock = map_span_at(NULL, SPAN_DISK(disk, DISK_RW));

	return clock && share_running(span_read(&clock->shared));
}

static __always_inline bool map_app_span(struct maps *m, u32 span, u64 now, bool busy)
{
	return busy ? enter_app(span, now) : leave_app(span, now);
}

/* Updates the spans that include the leaves of @cell. Call it after a leaf got busy or idle. */
int cell_transition(u32 cell, u64 now, bool busy);

static __always_inline void cell_enter(const u32 *cell, const u32 *leaf, u64 now)
{
	if (UNLIKELY(enter_at(leaf, now)))
		cell_transition(*cell, now, true);
}

static __always_inline void cell_leave(const u32 *cell, const u32 *leaf, u64 now)
{
	if (UNLIKELY(leave_at(leaf, now)))
		cell_transition(*cell, now, false);
}

/* Counts an access without a latency: no BPF program saw its issue or completion. */
static __always_inline void cell_count_lost(struct cell *c, u64 bytes)
{
	__sync_fetch_and_add(&c->lost, 1);
	__sync_fetch_and_add(&c->lost_bytes, bytes);
}

/* Counts an access with a lost completion (no BPF program saw it). @now is the time at which the
 * loss was detected. Returns the estimated end of the access. */
u64 cell_count_repair(u32 cell, u64 bytes, u64 start, u64 now);

/* Ends an access with a lost completion (no BPF program saw it). Counts the access, removes it from
 * span @leaf, and returns its estimated end. Another access in the span may have ended later, for
 * instance at 110 if the estimated end is 100. Then T already includes the time until 110, so the
 * access is removed at 110. */
static __always_inline u64 cell_repair(const u32 *cell, const u32 *leaf, u64 bytes, u64 start,
				       u64 now)
{
	struct span *own = bpf_map_lookup_elem(&spans, leaf);
	u64 end = cell_count_repair(*cell, bytes, start, now);

	cell_leave(cell, leaf, own ? span_not_before(own, end) : end);
	return end;
}

/* ---- Cells of the vfs layer ----
 *
 * An access has no cell (index 0) if there was no room, or if groups have no counters at this layer
 * (vfs_groups is false). */
/* Returns the index of the vfs cell of the running task's group and @op. */
u32 vfs_cell(u32 op);
/* Adds an access to the spans of vfs cell @cell if @busy, else removes it. */
int vfs_cell_access(u32 cell, u64 now, bool busy);
int vfs_cell_count_lost(u32 cell, u64 bytes);

/* Returns true if vfs_cell_access() for @cell also changes the spans of the whole vfs layer.
 * This is so if groups have counters per operation (per_part): the access then changes the cells
 * of all parent groups, too, and the topmost group's cells have the spans of the layer. */
static __always_inline bool cell_feeds_layer(u32 cell)
{
	return per_part && cell;
}

#endif
