/* SPDX-License-Identifier: GPL-2.0 */
/* The vfs layer's common part: which files count, and its spans. */
#ifndef IOSPAN_VFS_BPF_H
#define IOSPAN_VFS_BPF_H

#include "maps.bpf.h"
#include "pending.bpf.h"
#include "fsmagic.h"

#define S_IFMT 00170000
#define S_IFREG 0100000
#define S_IFBLK 0060000

/* iovecs that are added up when a failed call must say what it asked for */
#define IOV_BOUND 64

struct user_iovec {
	u64 base;
	u64 len;
};

/* Regular files and block devices, but not the kernel's own pseudo files. */
static __always_inline bool file_is_storage(struct file *file)
{
	struct inode *inode = NULL;
	u16 mode = 0;

	if (!file)
		return false;
	bpf_core_read(&inode, sizeof(inode), &file->f_inode);
	bpf_core_read(&mode, sizeof(mode), &inode->i_mode);
	if ((mode & S_IFMT) == S_IFBLK)
		return true;
	return (mode & S_IFMT) == S_IFREG &&
	       !fs_is_pseudo(BPF_CORE_READ(inode, i_sb, s_magic));
}

static __always_inline struct file *fd_file(u32 fd)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct fdtable *fdt = BPF_CORE_READ(task, files, fdt);
	struct file **table = BPF_CORE_READ(fdt, fd), *file = NULL;

	if (fd >= BPF_CORE_READ(fdt, max_fds))
		return NULL;
	bpf_probe_read_kernel(&file, sizeof(file), table + fd);
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
		bytes += v.len;
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
 * it and the kernel, so they are accesses of the app layer as well. */
static __always_inline void ring_enter(u32 op, u64 now)
{
	vfs_enter(op, now);
	if (!enter_app(APP_SPAN_READ + op, now) || op == VFS_SYNC)
		return;
	enter_app(APP_SPAN_ALL, now);
	enter_app(APP_SPAN_JOINT, now);
}

static __always_inline void ring_leave(u32 op, u64 now)
{
	vfs_leave(op, now);
	if (!leave_app(APP_SPAN_READ + op, now) || op == VFS_SYNC)
		return;
	leave_app(APP_SPAN_ALL, now);
	leave_app(APP_SPAN_JOINT, now);
}

/* A ring request begins; whatever had its address has ended unseen. */
static __always_inline bool ring_begin(u64 key, u32 kind, u32 op, u64 bytes, u64 *lost)
{
	u64 *word, now = bpf_ktime_get_ns();
	struct pending *p = pending_find(key, &word);

	if (p) {
		u32 old = p->op;

		if (old < VFS_OPS && pending_free(word, key)) {
			count(lost);
			ring_leave(old, now);
		}
	}
	p = pending_new(key);
	if (!p)
		return false;
	p->kind = kind;
	p->op = op;
	p->bytes = bytes;
	p->tgid = bpf_get_current_pid_tgid() >> 32;
	ring_enter(op, now);
	barrier();
	p->start_ns = now;
	return true;
}

/* The request of @key has ended with @res: bytes or a negative errno. */
static __always_inline void ring_end(u64 key, u32 source, s64 res)
{
	u64 *word, start, bytes, now;
	struct pending *p = pending_find(key, &word);
	u32 op;

	if (!p)
		return;
	start = p->start_ns;
	bytes = res < 0 ? p->bytes : res;
	op = p->op;
	p->start_ns = 0;
	if (op >= VFS_OPS || !pending_free(word, key))
		return;
	now = bpf_ktime_get_ns();
	ring_leave(op, now);
	if (op == VFS_SYNC)
		bytes = 0;
	add_access(ROW_VFS(source, op), bytes, res < 0, now - start, 0);
	add_access(ROW_APP(op), bytes, res < 0, now - start, 0);
}

#endif
