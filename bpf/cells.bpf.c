// SPDX-License-Identifier: GPL-2.0-only
/* Makes the elements of the maps disks and cells at the first access that needs them. A cell
 * (struct cell) has the indices of the spans and counters that an access of one group, disk and
 * operation changes. A span measures the time in which at least one access of a set is in flight. A
 * disk's cell may have several spans for different CPUs, called leaves. A row (struct row) has the
 * counters of a set of accesses. GROUP_TOP is the command's cgroup. GROUP_OTHER marks cgroups
 * without counters of their own. */
#include "bpf/cells.bpf.h"
#include "bpf/lost.h"

#define LOOP_MAJOR 7
/* Flag of file system types that need a block device (linux/fs.h). The field s_bdev of a super
 * block cannot replace the flag, because btrfs does not set it. */
#define FS_REQUIRES_DEV 1

struct cell_index cell_index SEC(".maps");
struct free_numbers free_cells SEC(".maps");
struct u64_index disk_index SEC(".maps");
struct u64_index wanted_disks SEC(".maps");
const volatile bool some_disks = false;
struct disk_identities disk_identities SEC(".maps");
const volatile u32 max_cells = 1;
const volatile u32 leaf_mask = 0;
const volatile bool joint_vfs = false, joint_app = false, selectable = false;

u32 disks_n = 0, rows_n = ROW_DISKS;
u32 cells_n = 1; /* starts at 1, because index 0 means "no cell" */
u32 cell_cache[CELL_CACHE] = {};

/* magic numbers of overlayfs and ecryptfs, which store their files in other file systems */
#define MAGIC_OVERLAY 0x794c7630
#define MAGIC_ECRYPTFS 0xf15f

/* Returns true if loop device @disk does its I/O on another disk. Its backing file is then on a
 * block device, or is a block device. A file of overlayfs or ecryptfs is usually on a block device,
 * too. */
static __always_inline bool loop_is_stacked(struct gendisk *disk)
{
	struct loop_device *lo = BPF_CORE_READ(disk, private_data);
	struct inode *inode;
	u64 magic;

	if (!bpf_core_type_exists(struct loop_device) || !lo)
		return false;
	inode = BPF_CORE_READ(lo, lo_backing_file, f_inode);
	if (!inode)
		return false;
	magic = BPF_CORE_READ(inode, i_sb, s_magic);
	return (BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK || magic == MAGIC_OVERLAY ||
		magic == MAGIC_ECRYPTFS ||
		BPF_CORE_READ(inode, i_sb, s_type, fs_flags) & FS_REQUIRES_DEV;
}

static __always_inline bool starts_with(const char *name, const char *with, int n)
{
	for (int i = 0; i < n; i++)
		if (name[i] != with[i])
			return false;
	return true;
}

/* Returns true if @disk passes its I/O on to other disks. Totals leave out such a disk, because
 * they include the same I/O on the other disks. A disk that takes bios is stacked, unless its
 * driver stores the data itself, as zram does. */
static __always_inline bool disk_is_stacked(struct gendisk *disk, const char *name)
{
	if (BPF_CORE_READ(disk, major) == LOOP_MAJOR)
		return loop_is_stacked(disk);
	if (starts_with(name, "dm-", 3))
		return true;
	if (!BPF_CORE_READ(disk, fops, submit_bio))
		return false;
	return !starts_with(name, "zram", 4) && !starts_with(name, "ram", 3) &&
		!starts_with(name, "pmem", 4) && !starts_with(name, "nullb", 5);
}

/* Adds @made to the map disks and returns its index; MAX_DISKS: the map is full. If another CPU
 * adds the same disk at the same time, returns the index of that CPU's element. The element that
 * was reserved here then stays unused. */
static __always_inline u32 disk_add(const struct seen_disk *made)
{
	u32 at, *there;
	struct seen_disk *d;

	if (disks_n >= MAX_DISKS)
		return MAX_DISKS;
	at = __sync_fetch_and_add(&disks_n, 1);
	d = bpf_map_lookup_elem(&disks, &at);
	if (!d)
		return MAX_DISKS;
	*d = *made;
	if (!bpf_map_update_elem(&disk_identities, &made->is, &at, BPF_NOEXIST))
		return at;
	__builtin_memset(d, 0, sizeof(*d));
	there = bpf_map_lookup_elem(&disk_identities, &made->is);
	return there ? *there : MAX_DISKS;
}

/* Slow path of disk_find(), for a disk that is not in disk_index yet. Returns the index of the disk
 * in the map disks; MAX_DISKS: no room. @dev is its device number, which an earlier disk may have
 * had. */
__noinline u32 disk_new(u64 address, u32 dev)
{
	struct gendisk *disk = (void *)address;
	struct seen_disk made = { .is.dev = dev, .diskseq = BPF_CORE_READ(disk, diskseq) }, *d;
	u64 key = dev;
	u32 at, *there;

	bpf_core_read_str(made.is.name, sizeof(made.is.name), &disk->disk_name);
	made.is.stacked = disk_is_stacked(disk, made.is.name);
	there = bpf_map_lookup_elem(&disk_identities, &made.is);
	at = there ? *there : disk_add(&made);
	d = bpf_map_lookup_elem(&disks, &at);
	if (!d)
		return MAX_DISKS;
	d->diskseq = made.diskseq;
	bpf_map_update_elem(&disk_index, &key, &at, BPF_ANY);
	return at;
}

/* Returns the index of the struct row for @op on disk @d. Reserves the row at the first access with
 * @op. Returns 0 if there is no room. */
static __always_inline u32 disk_row(struct seen_disk *d, u32 op)
{
	u32 at, there;

	if (op >= DEVICE_OPS)
		return 0;
	there = *(volatile u32 *)&d->rows[op];
	if (there || rows_n >= row_groups)
		return there;
	at = __sync_fetch_and_add(&rows_n, 1);
	if (at >= row_groups)
		return 0;
	there = __sync_val_compare_and_swap(&d->rows[op], 0, at);
	return there ? there : at;
}

static __always_inline void cell_parent(struct cell *c, u32 span)
{
	for (u32 i = 0; i < CELL_PARENTS; i++) {
		if (!c->parents[i]) {
			c->parents[i] = span;
			break;
		}
	}
}

/* From now on, the accesses of cell @c also count in the struct row of @group for @set. */
static __always_inline void cell_count_in_group(struct cell *c, u32 group, enum group_set set)
{
	c->group_row = row_groups + GROUP_ROW(max_groups, set, group & ~GROUP_OTHER);
}

static __always_inline u32 cell_there(u32 group, u32 disk, u32 op)
{
	struct cell_key key = { group, disk, op };
	u32 *there = bpf_map_lookup_elem(&cell_index, &key);

	return there ? *there : 0;
}

/* Returns the index of the first of the spans that are reserved for cell number @at. */
static __always_inline u32 cell_span(u32 at)
{
	return SPAN_CELLS(max_groups) + at * (leaf_mask + 1 + per_part);
}

/* Sets the spans that an access of disk cell @c changes. If there are several groups or leaves, the
 * cell has spans of its own. Their parent is the span of the disk and operation, which is busy
 * while one of them is. With only one group and leaf, the cell has no spans of its own: its
 * accesses change the span of the disk and operation. */
static __always_inline void cell_fill_disk(struct cell *c, struct seen_disk *d,
					   const struct cell_key *key)
{
	u32 of_disk = SPAN_DISK(key->disk, key->op);

	if (per_cgroup || leaf_mask)
		cell_parent(c, of_disk);
	else
		c->span = of_disk;
	if (per_cgroup && key->op <= OP_WRITE)
		c->both = cell_span(cell_there(key->group, key->disk, OP_BOTH));
	if (key->op <= OP_FLUSH && !d->is.stacked && !c->both)
		cell_parent(c, SPAN_DEVICE_WAIT);
	if (key->op > OP_WRITE)
		return;
	if (!c->both)
		cell_parent(c, SPAN_DISK(key->disk, DISK_RW));
	if (d->is.stacked)
		return;
	if (!c->both)
		cell_parent(c, SPAN_DEVICE);
	c->total = 1;
	cell_count_in_group(c, key->group, SET_ALONE);
}

/* Sets the spans of vfs cell @c. If per_part is true, the span of a cell includes the accesses of
 * child groups. The topmost group includes all groups, so its cell has the span of the whole vfs
 * layer for this operation. */
static __always_inline void cell_fill_vfs(struct cell *c, const struct cell_key *key)
{
	u32 group = key->group & GROUP_OTHER ? GROUP_NONE : key->group;
	bool top = per_part && group == GROUP_TOP;

	if (top)
		c->span = SPAN_VFS_OP + key->op;
	if (per_part)
		cell_parent(c, top ? SPAN_VFS_WAIT : SPAN_GROUP_WAIT(max_groups, group));
	cell_count_in_group(c, key->group, key->op == VFS_SYNC ? SET_SYNC : SET_VFS);
	if (key->op == VFS_SYNC)
		return;
	c->total = 1;
	if (per_part)
		cell_parent(c, top ? SPAN_VFS : SPAN_GROUP_VFS(max_groups, group));
}

/* Returns the number of cells that must stay free when @group gets a new cell. They are reserved
 * for GROUP_TOP, the topmost group, and for GROUP_TOP | GROUP_OTHER, which gets the accesses of all
 * groups for which there is no cell. Returns 0 if @group is one of these two, or if there is only
 * one group. */
static __always_inline u32 cells_kept(u32 group)
{
	u32 cells_each = (row_groups - ROW_DISKS) / DEVICE_OPS * DISK_CELLS + VFS_OPS;

	return per_cgroup && (group & ~GROUP_OTHER) != GROUP_TOP ? 2 * cells_each : 0;
}

static __always_inline struct cell *cell_new(u32 group, u32 *at)
{
	if (!retire || bpf_map_pop_elem(&free_cells, at)) {
		if (cells_n >= max_cells - cells_kept(group))
			return NULL;
		*at = __sync_fetch_and_add(&cells_n, 1);
	}
	return bpf_map_lookup_elem(&cells, at);
}

/* Makes the cell for @key and returns its index; 0: no room. @up is the index of the parent group's
 * cell for the same disk and operation; 0: none. If another CPU makes the same cell at the same
 * time, returns the index of that CPU's cell, and frees the cell made here. */
static __always_inline u32 cell_make(u32 up, struct cell_key *key)
{
	struct seen_disk *d = bpf_map_lookup_elem(&disks, &key->disk);
	u32 row = d ? disk_row(d, key->op) : 0;
	struct cell *c = NULL;
	u32 at = 0, *there;

	if (row || key->disk == DISK_VFS || (d && key->op == OP_BOTH))
		c = cell_new(key->group, &at);
	if (!c)
		return 0;
	c->disk = key->disk;
	c->op = key->op;
	c->group_row = c->total = c->both = 0;
	__builtin_memset(c->parents, 0, sizeof(c->parents));
	c->row = row;
	c->up = up;
	c->span = cell_span(at);
	if (!d)
		cell_fill_vfs(c, key);
	else if (key->op != OP_BOTH)
		cell_fill_disk(c, d, key);
	barrier();
	c->group = key->group;
	if (!bpf_map_update_elem(&cell_index, key, &at, BPF_NOEXIST))
		return at;
	c->group = GROUP_NONE;
	if (retire)
		bpf_map_push_elem(&free_cells, &at, BPF_ANY);
	there = bpf_map_lookup_elem(&cell_index, key);
	return there ? *there : 0;
}

__noinline u32 cell_below(u32 up, u32 group, u32 disk, u32 op)
{
	struct cell_key key = { group, disk, op };
	u32 there = cell_there(group, disk, op);

	return there ? there : cell_make(up, &key);
}

/* Returns the index of the cell of (@group, @disk, @op), and makes the cell if necessary; 0: no
 * room. @up is the index of the parent group's cell. A group's cell for reads on a disk, or for
 * writes, has the index of a cell for both (OP_BOTH). So the OP_BOTH cell is made first. */
static __always_inline u32 cell_and_both(u32 up, u32 group, u32 disk, u32 op)
{
	if (per_cgroup && disk != DISK_VFS && op <= OP_WRITE &&
	    !cell_below(0, group, disk, OP_BOTH))
		return 0;
	return cell_below(up, group, disk, op);
}

/* Returns the index of the cell of (@group, @disk, @op), and makes the cell if necessary; 0: no
 * room. With per_part, a cell has the index of the parent group's cell (c->up). So the cells of all
 * ancestors are made first. */
__noinline u32 cell_made(u32 group, u32 disk, u32 op)
{
	u32 row = group & ~GROUP_OTHER, level = group_level(row), up = 0;

	for (u32 i = 0; per_part && i <= GROUP_LEVELS; i++) {
		if (i > level || (i == level && row == group))
			break;
		up = cell_and_both(up, group_at(row, i), disk, op);
		if (!up)
			return 0;
	}
	return cell_and_both(up, group, disk, op);
}

/* Returns the index of the cell of (@group, @disk, @op), and makes the cell if necessary. If there
 * is no room, returns the GROUP_OTHER cell, which all groups without a cell of their own share. If
 * there is no room for that cell either, returns 0. */
__noinline u32 cell_seek(u32 group, u32 disk, u32 op)
{
	u32 cell = cell_made(group, disk, op);

	if (!cell && per_cgroup) {
		cell = cell_made(GROUP_TOP | GROUP_OTHER, disk, op);
		if (cell)
			count(&losses.no_group_cell);
	}
	if (!cell)
		count(&losses.no_cell);
	return cell;
}

static __always_inline void cell_count(u32 cell, u64 bytes, bool failed, u64 ns)
{
	u32 at = stripe_here(cell, group_bits);
	struct cell_counts *n = bpf_map_lookup_elem(&cell_counts, &at);

	if (!n)
		return;
	count(&n->accesses);
	add_wide(&n->bytes, bytes, true);
	add_wide(&n->latency_ns, ns, true);
	if (failed)
		count(&n->errors);
}

__noinline int cell_add(u32 cell, u64 bytes, u64 how, u64 ns, u64 queued)
{
	struct cell *c = per_cgroup ? bpf_map_lookup_elem(&cells, &cell) : NULL;
	bool failed = how & CELL_FAILED;
	u32 row;

	if (!c || !cell)
		return 0;
	if (per_part)
		cell_count(cell, bytes, failed, ns);
	row = c->group_row;
	if (!row)
		return 0;
	if (how & CELL_SHARED)
		row += GROUP_ROW(max_groups, SET_SHARED, 0);
	add_group_access(row, bytes, failed, ns, queued);
	if (c->group & GROUP_OTHER)
		add_group_access(row - (c->group & ~GROUP_OTHER) + GROUP_NONE, bytes, failed, ns,
				 queued);
	return 0;
}

__noinline u64 cell_count_repair(u32 cell, u64 bytes, u64 start, u64 now)
{
	struct cell *c = bpf_map_lookup_elem(&cells, &cell);
	struct seen_disk *d = c ? bpf_map_lookup_elem(&disks, &c->disk) : NULL;
	u32 op = c ? c->op : DEVICE_OPS;
	u64 end;

	if (!d || op >= DEVICE_OPS)
		return now;
	end = lost_end_ns(start, d->median_ns[op], now);
	count(&losses.completions);
	cell_count_lost(c, bytes);
	__sync_fetch_and_add(&d->repaired_ns[op], end - start);
	return end;
}

__noinline u32 vfs_cell(u32 op)
{
	u32 group = vfs_groups && op < VFS_OPS ? task_group() : GROUP_NONE;

	return group ? cell_find(group, DISK_VFS, op) : 0;
}

__noinline int vfs_cell_count_lost(u32 cell, u64 bytes)
{
	struct cell *c = vfs_groups && cell ? bpf_map_lookup_elem(&cells, &cell) : NULL;

	if (c)
		cell_count_lost(c, bytes);
	return 0;
}
