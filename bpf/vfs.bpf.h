/* SPDX-License-Identifier: GPL-2.0 */
/* The vfs layer's common part: which files count, and its spans. */
#ifndef IOSPAN_VFS_BPF_H
#define IOSPAN_VFS_BPF_H

#include "cells.bpf.h"
#include "pending.bpf.h"
#include "record.bpf.h"
#include "fsmagic.h"

/* iovecs that are added up when a failed call must say what it asked for */
#define IOV_BOUND 64

/* The kernel moves no more in one call, whatever it is asked for (linux/fs.h). So the bytes of
 * lost accesses, in 64 bits, wrap after 2^33 of them at the earliest. */
#define MAX_RW_COUNT 0x7ffff000ULL

struct user_iovec {
	u64 base;
	u64 len;
};

/* Whether operation @op on an inode of @mode is an access, if its file system is on storage.
 * A directory has no bytes to read or write, but its entries are synced. */
static __always_inline bool mode_counts(u16 mode, u32 op)
{
	u16 type = mode & S_IFMT;

	return type == S_IFREG || (type == S_IFDIR && op == VFS_SYNC);
}

/* Whether operation @op on @file is an access: on regular files, directories (sync only) and
 * block devices, but not on the kernel's pseudo file systems. */
static __always_inline bool file_counts(struct file *file, u32 op)
{
	struct inode *inode = NULL;
	u16 mode = 0;

	if (!file)
		return false;
	bpf_core_read(&inode, sizeof(inode), &file->f_inode);
	bpf_core_read(&mode, sizeof(mode), &inode->i_mode);
	if ((mode & S_IFMT) == S_IFBLK)
		return true;
	return mode_counts(mode, op) && !fs_is_pseudo(BPF_CORE_READ(inode, i_sb, s_magic));
}

static __always_inline bool file_is_storage(struct file *file)
{
	return file_counts(file, VFS_READ);
}

/* Where @task keeps the file behind descriptor @fd; NULL: it has none. */
static __always_inline struct file **fd_place(struct task_struct *task, u32 fd)
{
	struct fdtable *fdt = task->files->fdt;

	return fd < fdt->max_fds ? fdt->fd + fd : NULL;
}

static __always_inline struct file *fd_file(u32 fd)
{
	struct file **place = fd_place(bpf_get_current_task_btf(), fd), *file = NULL;

	bpf_probe_read_kernel(&file, sizeof(file), place);
	return file;
}

static __always_inline u64 iov_bytes(u64 iov, u32 n)
{
	struct user_iovec v;
	u64 bytes = 0;

	for (u32 i = 0; i < IOV_BOUND; i++) {
		if (i >= n)
			break;
		if (bpf_probe_read_user(&v, sizeof(v), (void *)(iov + i * sizeof(v))))
			break;
		if (__builtin_add_overflow(bytes, v.len, &bytes))
			return ~0ULL;
	}
	return bytes;
}

static __always_inline void vfs_enter(u32 op, u64 now)
{
	if (!enter(SPAN_VFS_OP + op, now) || op == VFS_SYNC)
		return;
	enter(SPAN_VFS, now);
	enter(SPAN_VFS_DEVICE, now);
}

static __always_inline void vfs_leave(u32 op, u64 now)
{
	if (!leave(SPAN_VFS_OP + op, now) || op == VFS_SYNC)
		return;
	leave(SPAN_VFS, now);
	leave(SPAN_VFS_DEVICE, now);
}

/* io_uring and libaio requests are the program's own: no library stands between
 * it and the kernel, so they are accesses of the app layer as well. The spans of both
 * layers see the turns of the one that these requests have: one update for most. */
int ring_turn(u32 op, u64 now, bool busy);

static __always_inline void ring_enter(u32 op, u32 cell, u64 now)
{
	if (UNLIKELY(enter(SPAN_RING_OP + op, now)))
		ring_turn(op, now, true);
	if (vfs_groups)
		vfs_cell_turn(cell, now, true);
}

static __always_inline void ring_leave(u32 op, u32 cell, u64 now)
{
	if (UNLIKELY(leave(SPAN_RING_OP + op, now)))
		ring_turn(op, now, false);
	if (vfs_groups)
		vfs_cell_turn(cell, now, false);
}

static __always_inline u32 ring_source(u32 kind)
{
	return kind == PENDING_AIO ? SRC_AIO : SRC_RING;
}

/* What io_uring and libaio are asked for is an access of both layers. */
static __always_inline void record_ring(const struct pending *p, u64 start, u64 end, u64 bytes, u32 flags)
{
	record_vfs(1 << LAYER_APP | 1 << LAYER_VFS, op_of_call(p->op), ring_source(p->kind), &p->at,
		   start, end, bytes, flags, p->tgid);
}

/* An access, of @cell, of which no end will be seen: counted, not timed. */
static __always_inline void ring_lose(u32 kind, u32 op, u64 bytes, u32 cell)
{
	u32 i = ring_source(kind) * VFS_OPS + op;

	if (op >= VFS_OPS || i >= SRC_MAX * VFS_OPS)
		return;
	if (op == VFS_SYNC)
		bytes = 0;
	if (bytes > MAX_RW_COUNT)
		bytes = MAX_RW_COUNT;
	count(kind == PENDING_AIO ? &losses.aio : &losses.ring);
	count(&lost_rings[i].accesses);
	__sync_fetch_and_add(&lost_rings[i].bytes, bytes);
	if (vfs_groups)
		vfs_cell_lost(cell, bytes);
}

/* Something else has the address of a ring request: that has ended unseen. Without a copy, as a
 * callback that does this has little stack. */
static __always_inline void ring_forget(u64 key)
{
	u64 start, *place, now;
	struct pending *p = pending_own(key, &start, &place);

	if (!p)
		return;
	if (p->op < VFS_OPS) {
		ring_lose(p->kind, p->op, p->bytes, p->span);
		now = bpf_ktime_get_ns();
		ring_leave(p->op, p->span, now);
		if (recording)
			record_ring(p, start, now, p->op == VFS_SYNC ? 0 : p->bytes, TRACE_UNTIMED);
	}
	pending_give_back(place);
}

/* What an io_uring request belongs to and the program calls it, as its ring: the
 * kernel's word of an event that found its queue full has nothing else. */
static __always_inline u64 ring_of(u64 ring, u64 user_data)
{
	return (user_data << 32 | user_data >> 32) ^ lower_half(ring);
}

/* A request of program @tgid begins at @ring (libaio's context, or ring_of()), to @offset of
 * @file. @key has been forgotten. */
static __always_inline void ring_begin(u64 key, u32 kind, u32 op, u64 bytes, u64 ring,
				       u32 tgid, struct file *file, u64 offset)
{
	u32 cell = vfs_groups ? vfs_cell(op) : 0;
	struct pending *p;
	u64 now;

	p = pending_new(key);
	if (!p)
		return;
	if (recording) {
		struct file_at at = { .offset = offset };

		record_process(0);
		record_file(file, &at, op == VFS_WRITE ? FILE_WRITTEN : 0, 0);
		p->at = at;
	}
	now = bpf_ktime_get_ns();
	p->kind = kind;
	p->op = op;
	p->bytes = bytes;
	p->ring = ring;
	p->tgid = tgid;
	p->span = cell;
	ring_enter(op, cell, now);
	barrier();
	p->start_ns = now;
}

/* What has been in flight as @p since @start ends with @res: bytes or a negative errno. */
static __always_inline void ring_over(struct pending *p, u64 start, s64 res)
{
	u64 now = bpf_ktime_get_ns(), bytes = res < 0 ? p->bytes : res;
	u32 op = p->op;

	ring_leave(op, p->span, now);
	if (op == VFS_SYNC)
		bytes = 0;
	add_access(row_here(ROW_VFS(ring_source(p->kind), op)), bytes, res < 0, now - start, 0);
	if (vfs_groups)
		cell_add(p->span, bytes, res < 0, now - start, 0);
	if (recording)
		record_ring(p, start, now, bytes, res < 0 ? TRACE_FAILED : 0);
}

static __always_inline void ring_end(u64 key, s64 res)
{
	u64 start, *place;
	struct pending *p = pending_own(key, &start, &place);

	if (!p)
		return;
	if (p->op < VFS_OPS)
		ring_over(p, start, res);
	pending_give_back(place);
}

#endif
