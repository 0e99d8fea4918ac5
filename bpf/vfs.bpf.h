/* SPDX-License-Identifier: GPL-2.0-only */
/* The vfs layer's common part: which files count, and its spans. */
#ifndef IOSPAN_VFS_BPF_H
#define IOSPAN_VFS_BPF_H

#include "bpf/cells.bpf.h"
#include "bpf/pending.bpf.h"
#include "bpf/record.bpf.h"
#include "bpf/fsmagic.h"

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

/* Vectors of one request that are added up. */
#define IOV_BOUND 64

/* Bytes that the first @most of the @n vectors at @iov ask for, with BYTES_MORE if these are not
 * all, or if one of them is not in memory. Global, as the verifier walks it once. */
u64 iov_bytes(u64 iov, u32 n, u32 most);

/* The @bytes of a request that failed or was lost. */
static __always_inline u64 bytes_asked(u64 bytes)
{
	if (bytes & BYTES_MORE)
		count(&losses.vectors);
	return bytes & ~BYTES_MORE;
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
static __always_inline void record_ring(const struct pending *p, u64 start, u64 end, u64 bytes,
					u32 flags)
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
	if (bytes > MAX_RW_COUNT)
		bytes = MAX_RW_COUNT;
	count(kind == PENDING_AIO ? &losses.aio : &losses.ring);
	count(&lost_rings[i].accesses);
	__sync_fetch_and_add(&lost_rings[i].bytes, bytes);
	if (vfs_groups)
		vfs_cell_lost(cell, bytes);
}

/* The address of @p, in flight since @start, serves another request now, but @p is still there
 * for one of its owner that another's event has ended. It waits for that one's event. */
static __always_inline bool ring_detach(struct pending *p, u64 key, u64 start, u64 *place)
{
	u64 owner = pending_owner(p);
	struct owner_line *home = owner_line(owner_home(owner), 0);
	struct owner_line *line = owner_line(p->place / OWNER_WORDS, 0);
	u32 i = p->place % OWNER_WORDS - OWNER_HEAD, at;

	if (p->kind != PENDING_RING || !*(volatile u32 *)&home->swaps ||
	    i >= OWNER_WORDS - OWNER_HEAD)
		return false;
	at = pending_number(key);
	line->word[i] = owner_entry(at) | owner_tag(owner);
	__sync_fetch_and_add(&home->detached, 1);
	*(volatile u64 *)place = at + 1; /* no address */
	barrier();
	p->start_ns = start;
	return true;
}

/* Something else has the address of a ring request: that has ended unseen. Global, as the verifier
 * walks it once. */
int ring_forget(u64 key);

/* Owner of an io_uring request: its ring, and the number that the program gave it. The kernel's
 * event of a full queue names nothing else. */
static __always_inline u64 ring_of(u64 ring, u64 user_data)
{
	return (user_data << 32 | user_data >> 32) ^ lower_half(ring);
}

/* A request of the app and vfs layers, as the program made it. */
struct ring_request {
	u64 key;
	u64 ring; /* libaio: the context; io_uring: ring_of() */
	u64 bytes;
	u64 offset;
	struct file *file; /* NULL: PENDING_LATE */
	u32 kind;
	u32 op;
	u32 tgid;
};

static __always_inline void ring_tell_file(struct file *file, u32 op, struct file_at *to,
					   u64 offset, u64 from_ns)
{
	struct file_at at = { .offset = offset };

	if (file)
		record_file(file, &at, op == VFS_WRITE ? FILE_WRITTEN : 0, from_ns);
	*to = at;
}

/* @r begins. Its key has been forgotten. */
static __always_inline void ring_begin(const struct ring_request *r)
{
	u32 cell = vfs_groups ? vfs_cell(r->op) : 0, at;
	struct pending *p;
	u64 now, what;

	p = pending_new(r->key, &at);
	if (!p)
		return;
	if (recording) {
		record_process(0);
		ring_tell_file(r->file, r->op, &p->at, r->offset, 0);
	}
	p->kind = r->kind;
	p->op = r->op;
	p->bytes = r->bytes;
	p->ring = r->ring;
	p->tgid = r->tgid;
	p->span = cell;
	/* from the table, as the verifier lets nobody calculate with the typed pointer */
	what = r->kind == PENDING_AIO ? owner_entry(at) : owner_request(pending_key(at));
	p->place = owner_add(pending_owner(p), what);
	now = bpf_ktime_get_ns();
	if (r->kind != PENDING_LATE)
		ring_enter(r->op, cell, now);
	barrier();
	p->start_ns = now;
}

/* PENDING_LATE @p, since @start, ends. True: it has reached a file, which makes it an access; it
 * has been entered and @p is complete. Global, as the verifier walks it once. */
int ring_arrived(u64 address, struct pending *p, u64 start);

/* Ends the request of @key with @res: bytes or a negative errno. False: it is not in flight.
 * Global, as the verifier walks it once. */
int ring_end(u64 key, s64 res);

#endif
