/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of a slot when a request is issued to it, and when that ends. */
#ifndef IOSPAN_SLOT_BPF_H
#define IOSPAN_SLOT_BPF_H

#include "bpf/scan.bpf.h"

/* Is what is in @s this very request, put back without our seeing it? It was there
 * before its last issue; another one would have come after. */
static __always_inline bool issued_before(struct slot *s, struct request *rq, u64 start)
{
	return rq->start_time_ns && rq->start_time_ns <= start &&
		s->bytes == s->done + rq->__data_len;
}

/* Into flight, for the first time or again. */
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

/* What was put back into @s comes again, from whatever thread: whose it is, is known.
 * False: @rq is younger, and how that one ended was not seen. */
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
		cell_lost(c, s->bytes);
		if (recording)
			record_slot(s, 0, 0, TRACE_NO_OFFSET, TRACE_UNSPANNED);
	}
	return same;
}

/* Whoever is still in @s has ended unseen. */
static __always_inline void slot_clear(struct slot *s, u64 now)
{
	if (s->start_ns)
		slot_abandon(s, __sync_lock_test_and_set(&s->start_ns, 0), now);
}

/* Nobody is in @s, or waits to come again. */
static __always_inline bool slot_is_free(struct slot *s)
{
	return !s->start_ns && !(s->flags & SLOT_REQUEUED);
}

/* @rq is issued to @s, which is not free. True: it was @rq itself, of which all is known. */
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

/* What comes into @s has another cell than what was there before. False: no room. */
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

/* Takes what is in flight since @start out of @s. False: it was taken to be lost. Nobody
 * does so before SCAN_NS have passed (see scan_slots() and user/kernel/repair.c), so what is younger
 * needs no atomic operation. */
static __always_inline bool slot_take(struct slot *s, u64 start, u64 now)
{
	if (UNLIKELY(now - start >= SCAN_NS))
		return __sync_val_compare_and_swap(&s->start_ns, start, 0) == start;
	*(volatile u64 *)&s->start_ns = 0;
	return true;
}

#endif
