/* SPDX-License-Identifier: GPL-2.0-only */
/* Decides which operations on which files are measured, and adds up the bytes of iovecs. */
#ifndef IOSPAN_VFS_BPF_H
#define IOSPAN_VFS_BPF_H

#include "bpf/cells.bpf.h"
#include "bpf/record.bpf.h"
#include "bpf/fsmagic.h"

/* Returns true if @op is measured for an inode of @mode. For a directory, only a sync is
 * measured. */
static __always_inline bool mode_counts(u16 mode, u32 op)
{
	u16 type = mode & S_IFMT;

	return type == S_IFREG || (type == S_IFDIR && op == VFS_SYNC);
}

/* Like file_counts(), but reads fields by loads, which are faster than helper calls. Call it only
 * if has_cast is true. */
static __always_inline bool cast_counts(struct file *file, u32 op)
{
	struct inode *inode = CAST(struct file, file)->f_inode;
	u16 mode = inode->i_mode;

	return (mode & S_IFMT) == S_IFBLK ||
		(mode_counts(mode, op) && !fs_is_pseudo(inode->i_sb->s_magic));
}

/* Returns true if @op on @file is measured. This is so for regular files and block devices, and for
 * syncs of directories. Files of a pseudo file system such as /proc are not measured. */
static __always_inline bool file_counts(struct file *file, u32 op)
{
	struct inode *inode = NULL;
	u16 mode = 0;

	if (!file)
		return false;
	if (has_cast)
		return cast_counts(file, op);
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

/* Returns where @task's file table has the entry for @fd. Returns NULL if @fd is beyond the
 * table. */
static __always_inline struct file **fd_entry(struct task_struct *task, u32 fd)
{
	struct fdtable *fdt = UNTRUSTED(task)->files->fdt;

	return fd < fdt->max_fds ? fdt->fd + fd : NULL;
}

static __always_inline struct file *fd_file(u32 fd)
{
	return pointer_at(fd_entry(bpf_get_current_task_btf(), fd));
}

/* maximum number of iovecs of a request that iospan reads */
#define IOV_BOUND 64
#define UIO_MAXIOV 1024 /* The kernel refuses a request with more iovecs. */

/* Returns the sum of the lengths of the @n iovecs at user address @iov, at most MAX_RW_COUNT.
 * Returns 0 if the kernel would refuse @n iovecs. Reads at most @most iovecs, and at most
 * IOV_BOUND. If it does not read all iovecs, the sum may be too small. Then the result also has the
 * bit BYTES_MORE. The function is global, so that the verifier checks it only once. */
u64 vector_bytes(u64 iov, u32 n, u32 most);

/* Returns the number of bytes of a failed or lost request. If @bytes has the bit BYTES_MORE, this
 * number is too small, so the request is counted in losses.vectors. */
static __always_inline u64 bytes_asked(u64 bytes)
{
	if (bytes & BYTES_MORE)
		count(&losses.vectors);
	return bytes & ~BYTES_MORE;
}

#endif
