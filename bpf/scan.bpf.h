/* SPDX-License-Identifier: GPL-2.0 */
/* Completions of requests that were not seen: found by their place's being used again, or
 * by a look at the requests themselves, and repaired. */
#ifndef IOSPAN_SCAN_BPF_H
#define IOSPAN_SCAN_BPF_H

#include "cells.bpf.h"
#include "queue.bpf.h"
#include "record.bpf.h"

/* Work that goes on within this of an expected end is taken to follow the end
 * itself: whatever hid a completion may have held it up, too. */
#define SOON_NS 5000000

/* What is in @s, or a part of it, was in flight in [start, end). */
static __noinline void record_slot(struct slot *s, u64 start, u64 end, u64 offset, u32 flags)
{
	u64 held = s->held_ns ? s->held_ns + end - start : 0;

	record_device(s->cell, start, end, s->bytes, offset, held, s->queued_ns, flags, s->tgid);
}

/* The completion of what is in @s was not seen. Its end is unknown: taken to
 * be now, or if that is long after the last one here would have ended, then; but
 * not before the last end that its own span saw. The spans above see only its turns
 * and take its word. */
static __always_inline void slot_abandon(struct slot *s, u64 start, u64 now)
{
	struct cell *c = bpf_map_lookup_elem(&cells, &s->cell);
	struct span *own = bpf_map_lookup_elem(&spans, &s->span);
	u64 end = start + s->usual_ns;

	if (!start || !own || !c)
		return;
	if (end < own->last_ns)
		end = own->last_ns;
	if (end + SOON_NS < now)
		now = end;
	count(&losses.completions);
	cell_lost(c, s->bytes);
	cell_leave(&s->cell, &s->span, now);
	if (recording)
		record_slot(s, start, now, TRACE_NO_OFFSET, TRACE_UNTIMED);
}

/* A queue is looked through this often, while it is used, for requests whose
 * completion was not seen. */
#define SCAN_NS 2000000

struct scan {
	u64 requests;	/* struct request *[], by tag */
	u64 now;
	u32 first;
	u32 n;
};

/* A request has no reference left when it is freed, which is after we should have
 * seen its completion. (Its state would not do: it turns to in flight only after we
 * see its issue, and who issues it may lose the CPU between.) A flush has its tag
 * from the request found here, not its references. */
static __always_inline void scan_slot(struct slot *s, u64 start, u32 tag, struct scan *scan)
{
	struct cell *c = bpf_map_lookup_elem(&cells, &s->cell);
	struct request *rq = NULL;
	u32 references = 1;

	if (!c || c->op == OP_FLUSH)
		return;
	bpf_probe_read_kernel(&rq, sizeof(rq), (void *)(scan->requests + tag * sizeof(rq)));
	if (!rq || bpf_core_read(&references, sizeof(references), &rq->ref) || references)
		return;
	if (__sync_val_compare_and_swap(&s->start_ns, start, 0) == start)
		slot_abandon(s, start, scan->now);
}

/* Several at a time: a call for each would cost more than the look at it. */
#define SCAN_STEP 8

static long scan_slots(u32 step, struct scan *scan)
{
	for (u32 i = 0; i < SCAN_STEP; i++) {
		u32 tag = step * SCAN_STEP + i, at = scan->first + tag;
		struct slot *s = bpf_map_lookup_elem(&slots, &at);
		u64 start;

		if (!s || tag >= scan->n)
			return 1;
		start = *(volatile u64 *)&s->start_ns;
		if (UNLIKELY(start && start + SCAN_NS <= scan->now))
			scan_slot(s, start, tag, scan);
	}
	return 0;
}

/* Unless somebody else has done so since @last. */
static __noinline void scan_queue(struct queue *q, u64 last, u64 now)
{
	struct blk_mq_hw_ctx *hctx = (void *)q->hctx;
	struct blk_mq_tags *tags = BPF_CORE_READ(hctx, sched_tags);
	struct scan scan = { .now = now };
	u32 depth = q->depth, tag = 0, nr_tags;

	if (__sync_val_compare_and_swap(&q->scanned_ns, last, now) != last)
		return;
	q->blkg = 0;
	if (!has_loop)
		return;
	if (!tags)
		tags = BPF_CORE_READ(hctx, tags);
	nr_tags = BPF_CORE_READ(tags, nr_tags);
	scan.requests = (u64)BPF_CORE_READ(tags, static_rqs);
	for (u32 i = 0; i < SLOT_ROWS && tag < nr_tags; i++) {
		if (q->rows[i]) {
			scan.first = q->rows[i] - 1;
			scan.n = depth < nr_tags - tag ? depth : nr_tags - tag;
			bpf_loop((scan.n + SCAN_STEP - 1) / SCAN_STEP, scan_slots, &scan, 0);
		}
		scan.requests += depth * sizeof(u64);
		tag += depth;
		depth = tag;
	}
}

static __always_inline void scan_now_and_then(struct queue *q, u64 now)
{
	u64 last = q->scanned_ns;

	if (UNLIKELY(now - last > SCAN_NS))
		scan_queue(q, last, now);
}

#endif
