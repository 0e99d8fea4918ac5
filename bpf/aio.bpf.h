/* SPDX-License-Identifier: GPL-2.0-only */
/* libaio: from io_submit to the event that io_getevents hands out. The kernel
 * has no event of its own for the completion; what the program takes out of the
 * ring in user space is seen when the control block is submitted once more. */
#ifndef IOSPAN_AIO_BPF_H
#define IOSPAN_AIO_BPF_H

#include "bpf/vfs.bpf.h"

#define AIO_BOUND 1024	 /* requests or events that are followed per call */
#define AIO_VECTORS 1024 /* vectors that are read per call */

/* struct iocb and io_event are user-space ABI (linux/aio_abi.h). */
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

/* One call's array in user memory. */
struct batch {
	u64 array;
	u64 ring;
	u32 from, n;
	u32 vectors; /* that may still be read */
	u32 tgid;
	u32 fd, op; /* of the last access that was submitted, and its file */
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

/* Most requests of a call are for one file. False: operation @op on @fd is no access. */
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

/* Reads the request at @at of the program into @r. False: it is no access. If it has vectors, @r has
 * their address for its key and their number for its bytes, as the caller has no stack left; else
 * the key is 0. A function of its own, so that its stack is free again before the request starts. */
static __noinline bool submit_read(u64 at, struct batch *b, struct ring_request *r)
{
	struct user_iocb cb;

	if (bpf_probe_read_user(&cb, sizeof(cb), (void *)at) ||
	    !batch_file(b, cb.fd, aio_op(cb.opcode)))
		return false;
	r->key = cb.opcode >= AIO_PREADV ? cb.buf : 0;
	r->op = b->op;
	r->file = b->file;
	r->bytes = cb.bytes;
	r->offset = cb.offset;
	return true;
}

/* Once the kernel has the vectors, the program may use their memory for something else. If the
 * request fails or is lost, its bytes can be known from here only. */
static __always_inline u64 batch_bytes(struct batch *b, u64 iov, u32 n)
{
	u64 bytes = iov_bytes(iov, n, b->vectors);

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
	if (bpf_probe_read_user(&at, sizeof(at), (void *)(b->array + i * sizeof(at))))
		return 1;
	if (!submit_read(at, b, &r))
		return 0;
	if (r.key)
		r.bytes = batch_bytes(b, r.key, r.bytes);
	r.key = aio_key(at, b->tgid);
	ring_forget(r.key);
	ring_begin(&r);
	return 0;
}

/* Ends a request that the kernel did not take. It is no access. */
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

/* Follows the first AIO_BOUND of the @n entries at @array. The program chose @n, which can be
 * anything: the kernel refuses a negative count. False: there is nothing to follow. */
static __always_inline bool batch_of(struct batch *b, u64 ring, u64 array, s64 n)
{
	b->array = array;
	b->ring = ring;
	b->from = 0;
	b->n = n <= 0 ? 0 : n < AIO_BOUND ? n : AIO_BOUND;
	b->tgid = bpf_get_current_pid_tgid() >> 32;
	return b->n;
}

/* io_submit(ctx, n, iocbs) is entered. The kernel may take fewer than @n. */
static __always_inline void aio_submit(struct pt_regs *regs)
{
	struct batch b = { .op = VFS_OPS, .vectors = AIO_VECTORS };

	if (batch_of(&b, PT_REGS_PARM1_SYSCALL(regs), PT_REGS_PARM3_SYSCALL(regs),
		     PT_REGS_PARM2_SYSCALL(regs)))
		bpf_loop(AIO_BOUND, submit_one, &b, 0);
}

/* io_submit() returns @taken: the kernel took the first @taken requests, or it is negative and
 * the kernel took none. Only requests that it took can be lost. */
static __always_inline void aio_submitted(struct pt_regs *regs, s64 taken)
{
	struct batch b;

	if (taken > AIO_BOUND)
		__sync_fetch_and_add(&losses.aio_batch, taken - AIO_BOUND);
	if (!batch_of(&b, PT_REGS_PARM1_SYSCALL(regs), PT_REGS_PARM3_SYSCALL(regs),
		      PT_REGS_PARM2_SYSCALL(regs)) ||
	    taken >= b.n)
		return;
	b.from = taken > 0 ? taken : 0;
	bpf_loop(AIO_BOUND, cancel_one, &b, 0);
}

/* io_getevents(ctx, min, max, events, timeout) returns @n events. If one of a followed request is
 * beyond AIO_BOUND, ring_forget() counts it later, when the request's address is used again or
 * its context is destroyed. */
static __always_inline void aio_events(struct pt_regs *regs, s64 n)
{
	struct batch b;

	if (batch_of(&b, PT_REGS_PARM1_SYSCALL(regs), PT_REGS_PARM4_SYSCALL(regs), n))
		bpf_loop(AIO_BOUND, event_one, &b, 0);
}

/* Requests that one run ends. The command ends the others: see repair_orphans(). */
#define ENDS_BOUND 16

struct ending {
	struct orphans of;
	u32 home, ends;
	u64 tag;
};

/* 1: there are no more, or too many. */
static long end_line(u32 step, struct ending *e)
{
	struct owner_line *l = owner_line(e->home, step);

	for (u32 i = 0; i < OWNER_WORDS - OWNER_HEAD; i++) {
		u64 word = *(volatile u64 *)&l->word[i];
		u32 at = owner_entry_at(word);
		struct pending *p = NULL;

		if (word && (word & OWNER_TAG) == e->tag)
			p = bpf_map_lookup_elem(&pending, &at);
		if (!p || !pending_is_orphan(p, &e->of))
			continue;
		if (e->ends++ >= ENDS_BOUND)
			return 1;
		ring_forget(pending_key(at));
	}
	return !step && !l->strayed;
}

/* Nobody fetches the events of these any more: those of @ring, or all of a program that
 * ends (0). */
static __always_inline void aio_end_all(u64 ring)
{
	u32 tgid = bpf_get_current_pid_tgid() >> 32, i;
	struct ending e = {
		.of = { .ring = ring, .end_ns = bpf_ktime_get_ns(), .tgid = tgid },
		.home = owner_home(tgid),
		.tag = owner_tag(tgid),
	};

	bpf_loop(1 + OWNER_REACH, end_line, &e, 0);
	if (e.ends <= ENDS_BOUND)
		return;
	i = __sync_fetch_and_add(&orphans_n, 1) & (ORPHANS - 1);
	orphans[i] = e.of;
}

#endif
