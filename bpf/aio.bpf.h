/* SPDX-License-Identifier: GPL-2.0-only */
/* Measures a libaio request from io_submit() until io_getevents() returns its event, because the
 * kernel has no trace event for the completion. A program may also fetch the event from memory that
 * it shares with the kernel. iospan does not see such a fetch. It counts the access as lost when
 * the program submits the same control block again.
 *
 * The hash table owners[] finds the requests in flight of a process. Each element of owners[],
 * called a line, has one word per request. */
#ifndef IOSPAN_AIO_BPF_H
#define IOSPAN_AIO_BPF_H

#include "bpf/call.bpf.h"
#include "bpf/ring.bpf.h"

/* maximum number of requests or events that a BPF program handles per system call */
#define AIO_BOUND 1024
#define AIO_VECTORS 1024 /* maximum number of iovecs that a BPF program reads per io_submit() */

/* struct iocb and struct io_event from linux/aio_abi.h */
struct user_iocb {
	u64 data;
	u32 key, flags;
	u16 opcode;
	short prio;
	u32 fd;
	u64 buf;
	u64 bytes;
	u64 offset;
	u64 reserved;
	u32 flags2, resfd;
};
struct user_event {
	u64 data;
	u64 iocb;
	s64 res;
	s64 res2;
};
enum { AIO_PREAD, AIO_PWRITE, AIO_FSYNC, AIO_FDSYNC, AIO_PREADV = 7, AIO_PWRITEV = 8 };

/* State of the loop over the requests or events of one system call. */
struct batch {
	u64 array; /* user address of the system call's array of requests or events */
	u64 ring;
	u32 from, n;
	/* number of iovecs that the BPF program may still read in this system call */
	u32 vectors;
	u32 tgid;
	/* file descriptor and operation of the previous request */
	u32 fd, op;
	struct unread unread;
	struct file *file;
};

static __always_inline u64 aio_key(u64 iocb, u32 tgid)
{
	return (iocb ^ tgid * 0x9e3779b97f4a7c15ULL) | 1ULL << 63;
}

static __always_inline u32 aio_op(u16 opcode)
{
	switch (opcode) {
	case AIO_PREAD:
	case AIO_PREADV:
		return VFS_READ;
	case AIO_PWRITE:
	case AIO_PWRITEV:
		return VFS_WRITE;
	case AIO_FSYNC:
	case AIO_FDSYNC:
		return VFS_SYNC;
	}
	return VFS_OPS;
}

/* Sets b->file to the file of @fd. Most requests have the same file as the previous request, which
 * is in @b. Returns false if iospan does not measure operation @op on this file. */
static __always_inline bool batch_file(struct batch *b, u32 fd, u32 op)
{
	struct file *file;

	if (op == VFS_OPS)
		return false;
	if (fd == b->fd && op == b->op)
		return true;
	file = fd_file(fd);
	if (!file_counts(file, op))
		return false;
	b->fd = fd;
	b->op = op;
	b->file = file;
	return true;
}

/* Reads the struct iocb at user address @at into @r. Returns false if iospan does not measure the
 * request, or cannot read it because its memory is not resident. If the request has iovecs, stores
 * their address in r->key and their number in r->bytes. Otherwise stores 0 in r->key. The caller
 * changes both fields later.
 *
 * The BPF stack has only 512 bytes. So there are no separate variables for the iovecs, and the
 * function is not inlined, so that its own stack is free again when it returns. */
static __noinline bool submit_read(u64 at, struct batch *b, struct ring_request *r)
{
	struct user_iocb cb;

	if (bpf_probe_read_user(&cb, sizeof(cb), (void *)at)) {
		b->unread.n++;
		return false;
	}
	if (!batch_file(b, cb.fd, aio_op(cb.opcode)))
		return false;
	r->key = cb.opcode >= AIO_PREADV ? cb.buf : 0;
	r->op = b->op;
	r->file = b->file;
	r->bytes = cb.bytes;
	r->offset = cb.offset;
	return true;
}

/* Returns the sum of the bytes of the @n iovecs at user address @iov. Called at the submission,
 * because the program may reuse the array afterwards. */
static __always_inline u64 batch_bytes(struct batch *b, u64 iov, u32 n)
{
	u64 bytes = vector_bytes(iov, n, b->vectors);

	if (n > IOV_BOUND)
		n = IOV_BOUND;
	b->vectors -= n < b->vectors ? n : b->vectors;
	return bytes;
}

static long submit_one(u32 i, struct batch *b)
{
	struct ring_request r = { .kind = PENDING_AIO, .ring = b->ring, .tgid = b->tgid };
	u64 at = 0;

	if (i >= b->n)
		return 1;
	if (!b->unread.n)
		b->unread.first = i;
	if (bpf_probe_read_user(&at, sizeof(at), (void *)(b->array + i * sizeof(at)))) {
		b->unread.n += b->n - i;
		return 1;
	}
	if (!submit_read(at, b, &r))
		return 0;
	r.bytes = r.key ? batch_bytes(b, r.key, r.bytes) : transferable(r.bytes);
	r.key = aio_key(at, b->tgid);
	ring_forget(&r.key);
	ring_begin(&r);
	return 0;
}

/* Removes the access of a request that the kernel refused, so that no I/O took place. */
static long cancel_one(u32 i, struct batch *b)
{
	struct pending p;
	u64 at = 0, now;

	i += b->from;
	if (i >= b->n)
		return 1;
	if (bpf_probe_read_user(&at, sizeof(at), (void *)(b->array + i * sizeof(at))))
		return 1;
	if (!pending_take(aio_key(at, b->tgid), &p) || p.op >= VFS_OPS)
		return 0;
	now = bpf_ktime_get_ns();
	ring_leave(p.op, p.span, now);
	if (recording)
		record_ring(&p, p.start_ns, now, 0, TRACE_PART);
	return 0;
}

static long event_one(u32 i, struct batch *b)
{
	struct user_event e;

	if (i >= b->n)
		return 1;
	if (bpf_probe_read_user(&e, sizeof(e), (void *)(b->array + i * sizeof(e))))
		return 1;
	ring_end(aio_key(e.iocb, b->tgid), e.res);
	return 0;
}

/* Prepares @b for a loop over the @n requests or events, but at most AIO_BOUND of them. Returns
 * false if there are none. The measured program chooses @n, so it may have any value. */
static __always_inline bool batch_of(struct batch *b, u64 ring, u64 array, s64 n)
{
	b->array = array;
	b->ring = ring;
	b->from = 0;
	b->n = n <= 0 ? 0 : n < AIO_BOUND ? n : AIO_BOUND;
	b->tgid = bpf_get_current_pid_tgid() >> 32;
	return b->n;
}

/* At the entry of io_submit(), starts an access per request. The kernel may refuse some requests;
 * aio_submitted() then removes their accesses. */
static __always_inline void aio_submit(struct pt_regs *regs)
{
	struct batch b = { .op = VFS_OPS, .vectors = AIO_VECTORS };
	struct call *call;

	if (!batch_of(&b, PT_REGS_PARM1_SYSCALL(regs), PT_REGS_PARM3_SYSCALL(regs),
		      PT_REGS_PARM2_SYSCALL(regs)))
		return;
	bpf_loop(AIO_BOUND, submit_one, &b, 0);
	if (!b.unread.n)
		return;
	call = bpf_task_storage_get(&calls, bpf_get_current_task_btf(), NULL,
				    BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (call)
		call->unread = b.unread;
	else
		count(&losses.no_storage);
}

/* The kernel accepted the first @taken requests of the call. Some of them have no entry in the
 * pending table: those after the first AIO_BOUND, and those that iospan could not read. Counts them
 * as lost. */
static __always_inline void aio_not_followed(s64 taken)
{
	struct call *call = bpf_task_storage_get(&calls, bpf_get_current_task_btf(), NULL, 0);
	struct unread *u = call ? &call->unread : NULL;
	s64 lost = taken > AIO_BOUND ? taken - AIO_BOUND : 0;

	if (u && u->n) {
		s64 from = taken < AIO_BOUND ? taken - u->first : AIO_BOUND - u->first;

		lost += from <= 0 ? 0 : from < u->n ? from : u->n;
		u->n = 0;
	}
	if (lost)
		__sync_fetch_and_add(&losses.aio_batch, lost);
}

/* At the exit of io_submit(), removes the accesses of the requests that the kernel refused. @taken
 * is the number of accepted requests; below 0: none. */
static __always_inline void aio_submitted(struct pt_regs *regs, s64 taken)
{
	struct batch b;

	if (!batch_of(&b, PT_REGS_PARM1_SYSCALL(regs), PT_REGS_PARM3_SYSCALL(regs),
		      PT_REGS_PARM2_SYSCALL(regs)) ||
	    taken >= b.n)
		return;
	b.from = taken > 0 ? taken : 0;
	bpf_loop(AIO_BOUND, cancel_one, &b, 0);
}

/* At the exit of io_getevents(), ends the accesses of the @n returned events, but at most AIO_BOUND
 * of them. iospan does not see the other events, nor events that the program fetches in user space.
 * It counts their accesses as lost when the program submits the same control block again or
 * destroys the libaio context. */
static __always_inline void aio_events(struct pt_regs *regs, s64 n)
{
	struct batch b;

	if (batch_of(&b, PT_REGS_PARM1_SYSCALL(regs), PT_REGS_PARM4_SYSCALL(regs), n))
		bpf_loop(AIO_BOUND, event_one, &b, 0);
}

/* maximum number of requests that one run of a BPF program ends; user/kernel/repair.c ends the
 * others */
#define ENDS_BOUND 16

struct ending {
	struct dead_context of;
	u32 home, ends;
	u64 tag;
};

/* Ends the requests in owners[@line] that belong to e->of, a destroyed context or an exited
 * process. The calls for all lines together end at most ENDS_BOUND requests. Returns 1 if there are
 * more. The function is global, so that the verifier checks it only once. */
int end_line(u32 line, struct ending *e);
__noinline int end_line(u32 line, struct ending *e)
{
	struct owner_line *l = owner_line(line, 0);

	if (!e)
		return 1;
	for (u32 i = 0; i < OWNER_WORDS - OWNER_HEAD; i++) {
		u64 word = *(volatile u64 *)&l->word[i];
		u32 at = owner_entry_at(word);
		struct pending *p = NULL;
		u64 key;

		if (word && (word & OWNER_TAG) == e->tag)
			p = bpf_map_lookup_elem(&pending, &at);
		if (!p || !pending_of_dead_context(p, &e->of))
			continue;
		if (e->ends++ >= ENDS_BOUND)
			return 1;
		key = pending_key(at);
		ring_forget(&key);
	}
	return 0;
}

/* Callback of bpf_loop(): examines the next OWNER_STEP lines of owners[]. Returns 1 to stop the
 * loop, because end_line() found more than ENDS_BOUND requests, or because no further line can have
 * a request of this owner. */
static long end_lines(u32 step, struct ending *e)
{
	u32 line = e->home + step * OWNER_STEP;

#pragma unroll
	for (u32 i = 0; i < OWNER_STEP; i++) {
		struct owner_line *l = owner_line(line, i);

		if (UNLIKELY(owner_line_may_have(l, e->tag)) && end_line(line + i, e))
			return 1;
		if (!i && !step && !l->strayed)
			return 1;
	}
	return 0;
}

/* Ends the libaio requests that the running process has in context @ring; 0: in all contexts. */
static __always_inline void aio_end_all(u64 ring)
{
	u32 tgid = bpf_get_current_pid_tgid() >> 32, i;
	struct ending e = {
		.of = { .ring = ring, .end_ns = bpf_ktime_get_ns(), .tgid = tgid },
		.home = owner_home(tgid),
		.tag = owner_tag(tgid),
	};

	bpf_loop(OWNER_STEPS, end_lines, &e, 0);
	if (e.ends <= ENDS_BOUND)
		return;
	i = __sync_fetch_and_add(&dead_contexts_n, 1) & (DEAD_CONTEXTS - 1);
	dead_contexts[i] = e.of;
}

extern bool aio_used; /* true after the first io_submit() of a measured process */

static __always_inline int aio_entry(struct pt_regs *regs, u32 kind)
{
	if (!has_loop || kind != CALL_IO_SUBMIT || !current_is_target() ||
	    task_is_32bit(bpf_get_current_task_btf()))
		return 0;
	aio_used = true;
	aio_submit(regs);
	return 0;
}

/* Returns true if the running process may have libaio requests in flight that iospan follows. It
 * may have moved to another cgroup since io_submit(), so its cgroup does not matter. */
static __always_inline bool aio_may_follow(void)
{
	u32 tgid = bpf_get_current_pid_tgid() >> 32;
	struct owner_line *l = owner_line(owner_home(tgid), 0);

	return l && (l->strayed || owner_line_may_have(l, owner_tag(tgid)));
}

static __always_inline int aio_exit(struct pt_regs *regs, u32 kind, long ret)
{
	if (!has_loop || !aio_used || task_is_32bit(bpf_get_current_task_btf()))
		return 0;
	if (kind == CALL_IO_SUBMIT && current_is_target())
		aio_not_followed(ret);
	if (!aio_may_follow())
		return 0;
	if (kind == CALL_IO_GETEVENTS)
		aio_events(regs, ret);
	else if (kind == CALL_IO_SUBMIT)
		aio_submitted(regs, ret);
	else if (!ret)
		aio_end_all(PT_REGS_PARM1_SYSCALL(regs));
	return 0;
}

#endif
