/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes the slot of a request when the request is issued or ends. A slot (struct slot) has the
 * state of the request in flight with one tag of a hardware queue. A cell (struct cell) has the
 * indices of the counters and spans of one group, disk and operation. A scan searches a queue for
 * requests with a lost completion. */
#ifndef IOSPAN_SLOT_BPF_H
#define IOSPAN_SLOT_BPF_H

#include "bpf/scan.bpf.h"

/* Returns true if the request that was issued at @start in slot @s is @rq itself. In this case, the
 * kernel issues @rq again, and no program saw the requeue. If the kernel allocated @rq after
 * @start, the slot has another request. */
static __always_inline bool issued_before(struct slot *s, struct request *rq, u64 start)
{
	return rq->start_time_ns && rq->start_time_ns <= start &&
		s->bytes == s->done + rq->__data_len;
}

/* From now on, the request in slot @s is in flight: it was issued for the first time or after a
 * requeue. */
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

/* Called when @rq is issued and slot @s has a requeued request. Returns true if this request is
 * @rq. @rq then keeps its group, because the running thread may have nothing to do with @rq. If the
 * slot has another request, no program saw the end of that request, so it counts as lost. */
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

/* If @s has an access, ends it. Another request has its tag now, so the access must have ended, but
 * no program saw its completion. */
static __always_inline void slot_clear(struct slot *s, u64 now)
{
	if (s->start_ns)
		slot_repair(s, __sync_lock_test_and_set(&s->start_ns, 0), now);
}

/* Returns true if slot @s has no request that is in flight or requeued. */
static __always_inline bool slot_is_free(struct slot *s)
{
	return !s->start_ns && !(s->flags & SLOT_REQUEUED);
}

/* Frees slot @s for the issue of @rq. Returns true if the slot already has @rq itself, which then
 * stays in the slot. */
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

/* Finds the cell for @group and @op on the disk of @q, and stores its index in @s. Returns false if
 * there is no room for a cell. */
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

/* Takes the request that started at @start out of slot @s, because it has completed. Returns
 * false if a scan has already ended it. A scan of the whole queue ends only requests older than
 * SCAN_NS. scan_tag() also ends younger requests, but only if no program saw their completion.
 * So a younger request needs no atomic operation. */
static __always_inline bool slot_take(struct slot *s, u64 start, u64 now)
{
	if (UNLIKELY(now - start >= SCAN_NS))
		return __sync_val_compare_and_swap(&s->start_ns, start, 0) == start;
	*(volatile u64 *)&s->start_ns = 0;
	return true;
}

#endif
