/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A minimal io_uring without liburing, to control each system call and field. Its queues are memory
 * that the program shares with the kernel. */
#ifndef TRACE_RING_H
#define TRACE_RING_H

#include <err.h>
#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct ring {
	int fd;
	unsigned *head, *tail, *array, mask, *flags;
	struct io_uring_sqe *sqes;
	unsigned *cq_head, *cq_tail, cq_mask;
	struct io_uring_cqe *cqes;
};

static inline void *ring_map(int fd, size_t size, off_t offset)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);

	if (at == MAP_FAILED)
		err(1, "mmap");
	return at;
}

/* Opens a ring with @entries entries. If the kernel does not support these flags, exits with status
 * 4, which skips the test. */
static inline void ring_open(struct ring *r, unsigned entries, unsigned flags)
{
	struct io_uring_params p = { .flags = flags, .sq_thread_idle = 1000 };
	char *sq, *cq;

	r->fd = syscall(SYS_io_uring_setup, entries, &p);
	if (r->fd < 0)
		err(4, "io_uring_setup");
	sq = ring_map(r->fd, p.sq_off.array + p.sq_entries * sizeof(unsigned), IORING_OFF_SQ_RING);
	cq = ring_map(r->fd, p.cq_off.cqes + p.cq_entries * sizeof(*r->cqes), IORING_OFF_CQ_RING);
	r->sqes = ring_map(r->fd, p.sq_entries * sizeof(*r->sqes), IORING_OFF_SQES);
	r->head = (unsigned *)(sq + p.sq_off.head);
	r->tail = (unsigned *)(sq + p.sq_off.tail);
	r->flags = (unsigned *)(sq + p.sq_off.flags);
	r->array = (unsigned *)(sq + p.sq_off.array);
	r->mask = p.sq_entries - 1;
	r->cq_head = (unsigned *)(cq + p.cq_off.head);
	r->cq_tail = (unsigned *)(cq + p.cq_off.tail);
	r->cqes = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
	r->cq_mask = p.cq_entries - 1;
}

static inline void ring_add(struct ring *r, const struct io_uring_sqe *sqe)
{
	unsigned tail = *r->tail, i = tail & r->mask;

	r->sqes[i] = *sqe;
	r->array[i] = i;
	__atomic_store_n(r->tail, tail + 1, __ATOMIC_RELEASE);
}

static inline unsigned ring_waiting(const struct ring *r)
{
	return *r->tail - __atomic_load_n(r->head, __ATOMIC_ACQUIRE);
}

static inline void ring_enter(struct ring *r, unsigned submit, unsigned wait, unsigned flags)
{
	if (wait)
		flags |= IORING_ENTER_GETEVENTS;
	if (syscall(SYS_io_uring_enter, r->fd, submit, wait, flags, NULL, 0) < 0)
		err(1, "io_uring_enter");
}

static inline int ring_event(struct ring *r, struct io_uring_cqe *to)
{
	unsigned head = *r->cq_head;

	if (head == __atomic_load_n(r->cq_tail, __ATOMIC_ACQUIRE))
		return 0;
	*to = r->cqes[head & r->cq_mask];
	__atomic_store_n(r->cq_head, head + 1, __ATOMIC_RELEASE);
	return 1;
}

#endif
