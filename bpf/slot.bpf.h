/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes a slot (struct slot) when a request is issued to it or ends. */
#ifndef IOSPAN_SLOT_BPF_H
#define IOSPAN_SLOT_BPF_H

#include "bpf/scan.bpf.h"

/* Returns true if the request in @s is @rq itself, and was requeued unseen by a BPF program. The
 * test is the time of allocation: @rq was allocated before the issue at @start, and another request
 * with its tag would have been allocated later. */
static __always_inline bool issued_before(struct slot *s, struct request *rq, u64 start)
{
	return rq->start_time_ns && rq->start_time_ns <= start &&
		s->bytes == s->done + rq->__data_len;
}

/* Starts the first or a further interval of the request in @s. */
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

/* Handles the issue of @rq to slot @s if the request in the slot was requeued. If @rq is the same
 * request, starts a new interval and returns true. The slot keeps its group, because any thread may
 * issue the request again. If @rq was allocated later, no BPF program saw the completion of the
 * request in @s. That request is counted as lost, and false is returned. */
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
			record_slot(s, 0, 0, &nowhere, TRACE_UNSPANNED);
	}
	return same;
}

/* If a request is still in flight in @s, ends it, because it has lost its completion. */
static __always_inline void slot_clear(struct slot *s, u64 now)
{
	if (s->start_ns)
		slot_repair(s, __sync_lock_test_and_set(&s->start_ns, 0), now);
}

/* Returns true if no request in @s is in flight or requeued. */
static __always_inline bool slot_is_free(struct slot *s)
{
	return !s->start_ns && !(s->flags & SLOT_REQUEUED);
}

/* Makes @s free for @rq, which is issued to it. Returns true if the request in @s is @rq itself, so
 * that nothing is left to do. */
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

/* Sets the cell (struct cell) of @s for the request that is issued to @s. Returns false if there is
 * no room for the cell. */
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

/* Removes the request that started at @start from @s. Returns false if a repair has already ended
 * it. A repair only ends requests that are older than SCAN_NS (see scan_slots() and
 * user/kernel/repair.c), so a younger request is removed without an atomic operation. */
static __always_inline bool slot_take(struct slot *s, u64 start, u64 now)
{
	if (UNLIKELY(now - start >= SCAN_NS))
		return __sync_val_compare_and_swap(&s->start_ns, start, 0) == start;
	*(volatile u64 *)&s->start_ns = 0;
	return true;
}

#endif
