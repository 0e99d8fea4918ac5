/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes of a slot when a request is issued to it or ends. */
#ifndef IOSPAN_SLOT_BPF_H
#define IOSPAN_SLOT_BPF_H

#include "bpf/scan.bpf.h"

/* Whether the request in @s is @rq itself, requeued unseen. It was allocated before the issue at
 * @start; another request with this tag would have been allocated later. */
static __always_inline bool issued_before(struct slot *s, struct request *rq, u64 start)
{
	return rq->start_time_ns && rq->start_time_ns <= start &&
		s->bytes == s->done + rq->__data_len;
}

/* The first or a further interval of the request in @s starts. */
static __always_inline void slot_issue(struct slot *s, u32 bytes, u64 now)
{
	if (s->queued_at_ns) {
		s->queued_ns += now - s->queued_at_ns;
		s->queued_at_ns = 0;
	}
	s->bytes = s->done + bytes;
	barrier();
	s->start_ns = now;
}

/* @rq is issued to @s, in which a request was requeued. True: it is the same request, and a new
 * interval starts. The slot has its group, as any thread may issue it. False: @rq was allocated
 * later, and the completion of the other request was not seen. */
static __always_inline bool issue_again(struct slot *s, struct request *rq, u64 now)
{
	struct cell *c = bpf_map_lookup_elem(&cells, &s->cell);
	bool same = rq->start_time_ns <= s->queued_at_ns;

	s->flags &= ~SLOT_REQUEUED;
	if (c && same) {
		cell_enter(&s->cell, &s->span, now);
		slot_issue(s, rq->__data_len, now);
	} else if (c) {
		count(&losses.completions);
		cell_count_lost(c, s->bytes);
		if (recording)
			record_slot(s, 0, 0, TRACE_NO_OFFSET, TRACE_UNSPANNED);
	}
	return same;
}

/* A request that is still in flight in @s has lost its completion. */
static __always_inline void slot_clear(struct slot *s, u64 now)
{
	if (s->start_ns)
		slot_repair(s, __sync_lock_test_and_set(&s->start_ns, 0), now);
}

/* No request in @s is in flight or requeued. */
static __always_inline bool slot_is_free(struct slot *s)
{
	return !s->start_ns && !(s->flags & SLOT_REQUEUED);
}

/* @rq is issued to @s, which is not free. True: the request in @s is @rq itself, and nothing is
 * left to do. */
static __noinline bool slot_free(struct slot *s, struct request *rq, u64 now)
{
	u64 start = s->start_ns;

	if (start && issued_before(s, rq, start)) {
		count(&losses.requeues);
		return true;
	}
	if (s->flags & SLOT_REQUEUED && !start && issue_again(s, rq, now))
		return true;
	slot_clear(s, now);
	return false;
}

/* Sets the cell of @s for the request that is issued to it. False: no room. */
static __noinline bool slot_cell(struct slot *s, struct queue *q, u32 group, u32 op)
{
	struct cell *c;

	s->cell = cell_find(group, q->disk, op);
	c = bpf_map_lookup_elem(&cells, &s->cell);
	if (!c || !s->cell)
		return false;
	s->span = cell_leaf(c, q->number);
	s->row = c->row;
	return true;
}

/* Takes the request that started at @start out of @s. False: a repair has ended it. A repair waits
 * for SCAN_NS (see scan_slots() and user/kernel/repair.c), so a younger request needs no atomic
 * operation. */
static __always_inline bool slot_take(struct slot *s, u64 start, u64 now)
{
	if (UNLIKELY(now - start >= SCAN_NS))
		return __sync_val_compare_and_swap(&s->start_ns, start, 0) == start;
	*(volatile u64 *)&s->start_ns = 0;
	return true;
}

#endif
