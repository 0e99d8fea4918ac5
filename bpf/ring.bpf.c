// SPDX-License-Identifier: GPL-2.0
/* io_uring reads and writes, from submission to completion, wherever they run:
 * inline, by task work, in io-wq, by the polling thread. */
#include "vfs.bpf.h"

/* enum io_uring_op is user-space ABI. */
enum {
	RING_READV = 1,
	RING_WRITEV = 2,
	RING_FSYNC = 3,
	RING_READ_FIXED = 4,
	RING_WRITE_FIXED = 5,
	RING_SYNC_FILE_RANGE = 8,
	RING_READ = 22,
	RING_WRITE = 23,
	RING_READV_FIXED = 58,
	RING_WRITEV_FIXED = 59,
};
#define RING_FIXED_FILE 1	/* REQ_F_FIXED_FILE = IOSQE_FIXED_FILE */
#define RING_CQE_SKIP (1 << 6)	/* REQ_F_CQE_SKIP: no event when it ends well */

/* One more than the operation; 0: not a file access. */
static const volatile u8 ring_ops[] = {
	[RING_READV] = VFS_READ + 1,
	[RING_READ_FIXED] = VFS_READ + 1,
	[RING_READ] = VFS_READ + 1,
	[RING_READV_FIXED] = VFS_READ + 1,
	[RING_WRITEV] = VFS_WRITE + 1,
	[RING_WRITE_FIXED] = VFS_WRITE + 1,
	[RING_WRITE] = VFS_WRITE + 1,
	[RING_WRITEV_FIXED] = VFS_WRITE + 1,
	[RING_FSYNC] = VFS_SYNC + 1,
	[RING_SYNC_FILE_RANGE] = VFS_SYNC + 1,
};

/* VFS_OPS: not a file access. From a table, so that the verifier has one way to follow and
 * not one for each operation. */
static __always_inline u32 ring_op(u8 opcode)
{
	u8 op = opcode < sizeof(ring_ops) ? ring_ops[opcode] : 0;

	return op ? op - 1 : VFS_OPS;
}

static __always_inline bool ring_is_vectored(u8 opcode)
{
	return opcode == RING_READV || opcode == RING_WRITEV || opcode >= RING_READV_FIXED;
}

static __noinline u64 ring_asked_vectors(u64 iov, u32 n)
{
	return iov_bytes(iov, n);
}

static __always_inline u64 ring_asked(struct io_kiocb *req)
{
	struct io_rw *rw = (struct io_rw *)&req->cmd;
	u32 len = has_cast ? CAST(struct io_rw, rw)->len : BPF_CORE_READ(rw, len);

	return ring_is_vectored(req->opcode) ?
		       ring_asked_vectors(BPF_CORE_READ(rw, addr), len) : len;
}

/* file_counts() without a call. */
static __always_inline bool cast_counts(struct file *file, u32 op)
{
	struct inode *inode = CAST(struct file, file)->f_inode;
	u16 mode = inode->i_mode;

	return (mode & S_IFMT) == S_IFBLK ||
	       (mode_counts(mode, op) && !fs_is_pseudo(inode->i_sb->s_magic));
}

static __always_inline u64 ring_offset(struct io_kiocb *req)
{
	struct io_rw *rw = (struct io_rw *)&req->cmd;

	return BPF_CORE_READ(rw, kiocb.ki_pos);
}

/* An access of which nothing but its begin will be seen. */
static __always_inline void ring_unseen(struct io_kiocb *req, struct file *file, u32 op, u32 tgid)
{
	struct file_at at = { .offset = ring_offset(req) };
	u64 bytes = ring_asked(req);

	ring_lose(PENDING_RING, op, bytes, vfs_groups ? vfs_cell(op) : 0);
	if (!recording)
		return;
	record_process(0);
	record_file(file, &at, op == VFS_WRITE ? FILE_WRITTEN : 0, 0);
	record_vfs(1 << LAYER_APP | 1 << LAYER_VFS, op_of_call(op), SRC_RING, &at, 0, 0,
		   op == VFS_SYNC ? 0 : bytes, TRACE_UNSPANNED, tgid);
}

/* The file, if an access is followed. What cannot be is not left out in silence. */
static __always_inline struct file *ring_follows(struct io_kiocb *req,
						 struct task_struct *task, u32 op)
{
	u64 flags = req->flags;
	bool fixed = flags & RING_FIXED_FILE;
	u32 fd = req->cqe.fd;
	struct file *file;

	if (op == VFS_OPS)
		return NULL;
	file = fixed ? ring_fixed_file(req, fd) : pointer_at(fd_place(task, fd));
	if (!file && fixed)	/* a slot that a linked request is going to fill */
		count(&losses.ring);
	if (!file || !(has_cast ? cast_counts(file, op) : file_counts(file, op)))
		return NULL;
	if (flags & RING_CQE_SKIP)
		ring_unseen(req, file, op, task->tgid);
	return flags & RING_CQE_SKIP ? NULL : file;
}

__noinline int ring_turn(u32 op, u64 now, bool busy)
{
	if (busy) {
		vfs_enter(op, now);
		app_enter(APP_SPAN_READ + op, now);
	} else {
		vfs_leave(op, now);
		app_leave(APP_SPAN_READ + op, now);
	}
	return 0;
}

static __always_inline int submit(struct io_kiocb *req)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct file *file;
	u32 op;

	if (!task_is_target(task))
		return 0;
	op = ring_op(req->opcode);
	ring_forget((u64)req);
	file = ring_follows(req, task, op);
	if (file)
		ring_begin((u64)req, PENDING_RING, op, ring_asked(req),
			   ring_of((u64)req->ctx, req->cqe.user_data), task->tgid, file,
			   recording ? ring_offset(req) : 0);
	return 0;
}

/* Named io_uring_submit_req since ce251389b ("io_uring: rename trace_..."), 6.4. */
SEC("tp_btf/io_uring_submit_req")
int BPF_PROG(on_ring_submit, struct io_kiocb *req)
{
	return submit(req);
}

SEC("tp_btf/io_uring_submit_sqe")
int BPF_PROG(on_ring_submit_old, struct io_kiocb *req, bool force_nonblock)
{
	return submit(req);
}

/* Since 6.16 the result comes in the cqe, before as an argument. */
SEC("tp_btf/io_uring_complete")
int BPF_PROG(on_ring_complete, void *ctx_, void *req, struct io_uring_cqe *cqe)
{
	ring_end((u64)req, cqe->res);
	return 0;
}

SEC("tp_btf/io_uring_complete")
int BPF_PROG(on_ring_complete_old, void *ctx_, void *req, u64 user_data, int res)
{
	ring_end((u64)req, res);
	return 0;
}
