// SPDX-License-Identifier: GPL-2.0-only
/* Measures io_uring requests. A request completes in the submitting call, in task work, in a thread
 * of io-wq or in the polling thread. The pending table finds the requests in flight by their
 * address. */
#include "bpf/overflow.bpf.h"

/* Values of enum io_uring_op, which is user-space ABI. */
enum {
	RING_READV = 1,
	RING_WRITEV = 2,
	RING_FSYNC = 3,
	RING_READ_FIXED = 4,
	RING_WRITE_FIXED = 5,
	RING_SYNC_FILE_RANGE = 8,
	RING_READ = 22,
	RING_WRITE = 23,
	RING_READV_FIXED = 60,
	RING_WRITEV_FIXED = 61,
};
#define RING_FIXED_FILE 1 /* REQ_F_FIXED_FILE: the request uses a registered file */
/* REQ_F_CQE_SKIP: the kernel emits no completion event if the request succeeds */
#define RING_CQE_SKIP (1 << 6)

/* ring_ops[opcode]: enum vfs_op of the io_uring opcode, plus 1; 0: not measured */
static const volatile u8 ring_ops[] = {
	[RING_READV] = VFS_READ + 1,   [RING_READ_FIXED] = VFS_READ + 1,
	[RING_READ] = VFS_READ + 1,    [RING_READV_FIXED] = VFS_READ + 1,
	[RING_WRITEV] = VFS_WRITE + 1, [RING_WRITE_FIXED] = VFS_WRITE + 1,
	[RING_WRITE] = VFS_WRITE + 1,  [RING_WRITEV_FIXED] = VFS_WRITE + 1,
	[RING_FSYNC] = VFS_SYNC + 1,   [RING_SYNC_FILE_RANGE] = VFS_SYNC + 1,
};

/* Returns the enum vfs_op of @opcode; VFS_OPS: iospan does not measure this opcode. A table is used
 * instead of comparisons, because the verifier then follows only one path. */
static __always_inline u32 ring_op(u8 opcode)
{
	u8 op = opcode < sizeof(ring_ops) ? ring_ops[opcode] : 0;

	return op ? op - 1 : VFS_OPS;
}

static __always_inline bool ring_is_vectored(u8 opcode)
{
	return opcode == RING_READV || opcode == RING_WRITEV || opcode >= RING_READV_FIXED;
}

static __always_inline u64 ring_asked(struct io_kiocb *req)
{
	struct io_rw *rw = (struct io_rw *)&req->cmd;
	u32 len = has_cast ? CAST(struct io_rw, rw)->len : BPF_CORE_READ(rw, len);

	return ring_is_vectored(req->opcode) ?
		vector_bytes(BPF_CORE_READ(rw, addr), len, IOV_BOUND) :
		transferable(len);
}

static __always_inline u64 ring_offset(struct io_kiocb *req)
{
	struct io_rw *rw = (struct io_rw *)&req->cmd;

	return BPF_CORE_READ(rw, kiocb.ki_pos);
}

/* Counts request @r as an access without a latency. It has the flag RING_CQE_SKIP, so the kernel
 * emits no event at its end. */
static __always_inline void ring_unseen(const struct ring_request *r)
{
	u64 bytes = r->op == VFS_SYNC ? 0 : bytes_asked(r->bytes);
	struct file_at at = { .offset = r->offset };

	ring_count_lost(PENDING_RING, r->op, bytes, vfs_groups ? vfs_cell(r->op) : 0);
	if (!recording)
		return;
	record_process(0);
	record_file(r->file, &at, r->op == VFS_WRITE ? FILE_WRITTEN : 0, 0);
	record_vfs(1 << LAYER_APP | 1 << LAYER_VFS, op_of_call(r->op), SRC_RING, &at, 0, 0, bytes,
		   TRACE_UNSPANNED, r->tgid);
}

/* Returns the file of @req, or NULL if its descriptor is not open yet. */
static __always_inline struct file *ring_file(struct io_kiocb *req, struct task_struct *task)
{
	u32 fd = req->cqe.fd;

	return req->flags & RING_FIXED_FILE ? ring_fixed_file(req, fd) :
					      pointer_at(fd_entry(task, fd));
}

__noinline int ring_transition(u32 op, u64 now, bool busy)
{
	if (busy)
		transition_ring(NULL, op, now, true);
	else
		transition_ring(NULL, op, now, false);
	return 0;
}

/* Called at the end of request @p if its file was not open at the submission (PENDING_NO_FILE). By
 * now, another request may have opened the file. If iospan measures the file, adds an access that
 * started at @start, and returns 1. Otherwise returns 0. @address is the address of the kernel's
 * request. */
int ring_arrived(u64 address, struct pending *p, u64 start);
__noinline int ring_arrived(u64 address, struct pending *p, u64 start)
{
	struct file *file = BPF_CORE_READ((struct io_kiocb *)address, file);

	if (!p || !file_counts(file, p->op))
		return 0;
	if (recording)
		ring_note_file(file, p->op, &p->at, p->at.offset, bpf_ktime_get_ns());
	ring_enter(p->op, p->span, start);
	return 1;
}

__noinline int ring_forget(const u64 *key)
{
	u64 start, *key_at, now, bytes;
	struct pending *p = key ? pending_own(*key, &start, &key_at) : NULL;

	if (!p || ring_detach(p, start, key_at))
		return 0;
	if (p->kind == PENDING_NO_FILE) {
		count(&losses.ring);
	} else if (p->op < VFS_OPS) {
		bytes = p->op == VFS_SYNC ? 0 : bytes_asked(p->bytes);
		ring_count_lost(p->kind, p->op, bytes, p->span);
		now = bpf_ktime_get_ns();
		ring_leave(p->op, p->span, now);
		if (recording)
			record_ring(p, start, now, bytes, TRACE_UNTIMED);
	}
	pending_release(p, key_at);
	return 0;
}

/* Ends the access of request @p, which started at @start. @res is its result: bytes or -errno. */
int ring_over(struct pending *p, u64 start, s64 res);
__noinline int ring_over(struct pending *p, u64 start, s64 res)
{
	u64 now = bpf_ktime_get_ns(), bytes;
	u32 op;

	if (!p)
		return 0;
	op = p->op;
	if (op >= VFS_OPS)
		return 0;
	bytes = op == VFS_SYNC ? 0 : res < 0 ? bytes_asked(p->bytes) : transferable(res);
	ring_leave(op, p->span, now);
	add_access(row_here(ROW_VFS(ring_source(p->kind), op)), bytes, res < 0, now - start, 0);
	if (vfs_groups)
		cell_add(p->span, bytes, res < 0, now - start, 0);
	if (recording)
		record_ring(p, start, now, bytes, res < 0 ? TRACE_FAILED : 0);
	return 0;
}

/* Ends the access of request @p with result @res, and frees entry @p. The caller must first take @p
 * by pending_own(). If the file was not open at the submission (PENDING_NO_FILE), ring_arrived()
 * tests the file now. */
static __always_inline void ring_finish(u64 key, struct pending *p, u64 start, u64 *key_at, s64 res)
{
	if (p->kind != PENDING_NO_FILE || ring_arrived(key, p, start))
		ring_over(p, start, res);
	pending_release(p, key_at);
}

__noinline int ring_end(u64 key, s64 res)
{
	u64 start, *key_at;
	struct pending *p = pending_own(key, &start, &key_at);

	if (!p)
		return 0;
	ring_finish(key, p, start, key_at, res);
	return 1;
}

__noinline int ring_end_entry(u32 at, s64 res)
{
	u64 start, *key_at;
	struct pending *p = pending_own_at(at, &start, &key_at);

	if (!p)
		return 0;
	ring_finish(0, p, start, key_at, res);
	return 1;
}

static __always_inline int ring_submit(struct io_kiocb *req)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct ring_request r = { .key = (u64)req };

	if (!task_is_target(task))
		return 0;
	r.op = ring_op(req->opcode);
	if (UNLIKELY(pending_has(r.key)))
		ring_forget(&r.key);
	if (r.op == VFS_OPS)
		return 0;
	r.file = ring_file(req, task);
	if (r.file && !file_counts(r.file, r.op))
		return 0;
	r.kind = r.file ? PENDING_RING : PENDING_NO_FILE;
	r.bytes = ring_asked(req);
	r.ring = ring_of((u64)UNTRUSTED(req)->ctx, req->cqe.user_data);
	r.offset = recording ? ring_offset(req) : 0;
	r.tgid = task->tgid;
	if (r.file && req->flags & RING_CQE_SKIP)
		ring_unseen(&r);
	else
		ring_begin(&r);
	return 0;
}

/* Before Linux 6.4 (ce251389b, "io_uring: rename trace_..."), this event had the name
 * io_uring_submit_sqe. So there is another program for that name. */
SEC("tp_btf/io_uring_submit_req")
int BPF_PROG(on_ring_submit, struct io_kiocb *req)
{
	return ring_submit(req);
}

SEC("tp_btf/io_uring_submit_sqe")
int BPF_PROG(on_ring_submit_old, struct io_kiocb *req, bool force_nonblock)
{
	return ring_submit(req);
}

/* true: a completion queue was full at least once. Since then, the event of a request may end
 * another request with the same ring and user_data. */
bool rings_overflowed = false;

static __always_inline int ring_complete(u64 req, const struct event *e)
{
	if (!ring_end(req, e->res) && UNLIKELY(rings_overflowed))
		end_one_of(e, true);
	return 0;
}

/* Since 6.16, this event has a pointer to the cqe. On older kernels, it has user_data and the
 * result, so iospan attaches on_ring_complete_old() there. */
SEC("tp_btf/io_uring_complete")
int BPF_PROG(on_ring_complete, void *ring, void *req, struct io_uring_cqe *cqe)
{
	struct event e = { (u64)ring, cqe->user_data, cqe->res };

	return ring_complete((u64)req, &e);
}

SEC("tp_btf/io_uring_complete")
int BPF_PROG(on_ring_complete_old, void *ring, void *req, u64 user_data, int res)
{
	struct event e = { (u64)ring, user_data, res };

	return ring_complete((u64)req, &e);
}

SEC("tp_btf/io_uring_cqe_overflow")
int BPF_PROG(on_ring_overflow, void *ring, u64 user_data, int res)
{
	struct event e = { (u64)ring, user_data, res };

	rings_overflowed = true;
	return end_one_of(&e, false);
}
