// SPDX-License-Identifier: GPL-2.0
/* Disks, groups and cells, made when their first I/O is seen. The slow path:
 * once per (cgroup, disk, operation). */
#include "cells.bpf.h"

#define LOOP_MAJOR 7

struct cell_index cell_index SEC(".maps");
struct u64_index disk_index SEC(".maps");
struct u64_index group_index SEC(".maps");

const volatile u32 attribution = BY_BLKCG;
const volatile struct watched charged = {};
const volatile bool per_cgroup = false;
const volatile u32 max_cells = 1, max_groups = 1;

u64 charged_at = 0;
u32 disks_n = 0, groups_n = 0;
u32 cells_n = 1;	/* cell 0 is nobody's */
u32 cell_cache[CELL_CACHE] = {};

/* A loop device stands on a disk if its file does. */
static __always_inline bool loop_is_stacked(struct gendisk *disk)
{
	struct loop_device *lo = disk->private_data;
	struct inode *inode;

	if (!bpf_core_type_exists(struct loop_device) || !lo)
		return false;
	inode = BPF_CORE_READ(lo, lo_backing_file, f_inode);
	if (!inode)
		return false;
	return (BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK ||
	       BPF_CORE_READ(inode, i_sb, s_bdev);
}

static __always_inline bool starts(const char *name, const char *with, int n)
{
	for (int i = 0; i < n; i++)
		if (name[i] != with[i])
			return false;
	return true;
}

/* Disks that pass bios on to others stand on those; the few that keep the data
 * themselves are known by name. */
static __always_inline bool disk_is_stacked(struct gendisk *disk, const char *name)
{
	if (disk->major == LOOP_MAJOR)
		return loop_is_stacked(disk);
	if (starts(name, "dm-", 3))
		return true;
	if (!disk_is_bio_based(disk))
		return false;
	return !starts(name, "zram", 4) && !starts(name, "ram", 3) &&
	       !starts(name, "pmem", 4) && !starts(name, "nullb", 5);
}

/* A number for @disk, which has none; MAX_DISKS when all are taken. Two CPUs
 * may make the same disk at once: the one who loses wastes a number. */
__hidden u32 disk_new(struct gendisk *disk, u32 dev)
{
	u64 key = dev;
	struct disk *d;
	u32 at, *there;

	if (disks_n >= MAX_DISKS)
		return MAX_DISKS;
	at = __sync_fetch_and_add(&disks_n, 1);
	d = bpf_map_lookup_elem(&disks, &at);
	if (!d)
		return MAX_DISKS;
	d->dev = dev;
	bpf_core_read_str(d->name, sizeof(d->name), &disk->disk_name);
	d->stacked = disk_is_stacked(disk, d->name);
	if (!bpf_map_update_elem(&disk_index, &key, &at, BPF_NOEXIST))
		return at;
	there = bpf_map_lookup_elem(&disk_index, &key);
	return there ? *there : MAX_DISKS;
}

/* The span that is the union over group @cgroup's reads and writes; 0: none. */
static __always_inline u32 group_span(u64 cgroup)
{
	u32 *there = bpf_map_lookup_elem(&group_index, &cgroup), at;

	if (there)
		return SPAN_GROUPS + *there;
	at = groups_n < max_groups ? __sync_fetch_and_add(&groups_n, 1) : max_groups;
	if (at >= max_groups) {
		count(&losses.no_cell);
		return 0;
	}
	if (bpf_map_update_elem(&group_index, &cgroup, &at, BPF_NOEXIST)) {
		there = bpf_map_lookup_elem(&group_index, &cgroup);
		return there ? SPAN_GROUPS + *there : 0;
	}
	return SPAN_GROUPS + at;
}

static __always_inline void cell_parent(struct cell *c, u32 span)
{
	u32 n = c->parents_n;

	if (span && n < CELL_PARENTS) {
		c->parents[n] = span;
		c->parents_n = n + 1;
	}
}

/* A new cell; 0 when there is no room. When the command's whole subtree counts
 * as one group, the cell's own span is the disk's per operation; else that one
 * is a union over groups and the cell has a span of its own below it. */
__hidden u32 cell_new(u64 cgroup, u32 disk, u32 op)
{
	struct cell_key key = { cgroup, disk, op };
	struct disk *d = bpf_map_lookup_elem(&disks, &disk);
	struct cell *c = NULL;
	u32 at = 0, *there;

	if (cells_n < max_cells) {
		at = __sync_fetch_and_add(&cells_n, 1);
		c = bpf_map_lookup_elem(&cells, &at);
	}
	if (!c || !d) {
		count(&losses.no_cell);
		return 0;
	}
	c->disk = disk;
	c->op = op;
	c->span = SPAN_DISK(disk, op);
	if (per_cgroup) {
		c->span = SPAN_GROUPS + max_groups + at;
		cell_parent(c, SPAN_DISK(disk, op));
	}
	if (op == OP_READ || op == OP_WRITE) {
		cell_parent(c, SPAN_DISK(disk, DISK_RW));
		if (!d->stacked) {
			cell_parent(c, SPAN_DEVICE);
			cell_parent(c, SPAN_VFS_DEVICE);
			c->total = 1;
			if (per_cgroup)
				cell_parent(c, group_span(cgroup));
		}
	}
	c->cgroup = cgroup;
	if (!bpf_map_update_elem(&cell_index, &key, &at, BPF_NOEXIST))
		return at;
	c->cgroup = 0;
	there = bpf_map_lookup_elem(&cell_index, &key);
	return there ? *there : 0;
}
