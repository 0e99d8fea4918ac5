/* SPDX-License-Identifier: GPL-2.0-only */
/* Completions of requests that were not seen: found by their place's being used again, or
 * by a look at the requests themselves, and repaired. */
#ifndef IOSPAN_SCAN_BPF_H
#define IOSPAN_SCAN_BPF_H

#include "bpf/cells.bpf.h"
#include "bpf/queue.bpf.h"
#include "bpf/record.bpf.h"

/* What is in @s, or a part of it, was in flight in [start, end). */
static __noinline void record_slot(struct slot *s, u64 start, u64 end, u64 offset, u32 flags)
{
	u64 held = s->held_ns ? s->held_ns + end - start : 0;

	record_device(s->cell, start, end, s->bytes, offset, held, s->queued_ns, flags, s->tgid);
}

/* Ends the access in @s, which lost its completion. */
static __always_inline void slot_abandon(struct slot *s, u64 start, u64 now)
{
	if (!start)
		return;
	now = cell_end_lost(&s->cell, &s->span, s->bytes, start, now);
	if (recording)
		record_slot(s, start, now, TRACE_NO_OFFSET, TRACE_UNTIMED);
}

/* While requests are issued to a queue, those in flight for this long are looked at this often. So a
 * lost completion is detected at most 1 ms later. */
#define SCAN_NS 500000

/* Looks for lost completions in a part of the queue of @hctx, unless another CPU has done so since
 * @last. 1 if a part is left. In scan.bpf.c; global, so that the verifier walks it once. */
int scan_queue(u64 hctx, u64 last, u64 now);

/* Ends the access at @tag of @hctx, if it lost its completion. It is not looked at before the
 * current median latency has passed. */
int scan_tag(u64 hctx, u32 tag, u64 now);

/* Before a request of @disk is issued to @q: a lost access ends before the new one starts. */
static __always_inline void scan_now_and_then(struct queue *q, struct gendisk *disk, u64 now)
{
	u64 last;

	if (!q || !disk || !queue_serves(q, disk))
		return;
	last = q->scanned_ns;
	if (UNLIKELY(now - last > SCAN_NS))
		scan_queue(q->hctx, last, now);
}

#endif
