/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds requests that lost their completion event, and ends (repairs) them. */
#ifndef IOSPAN_SCAN_BPF_H
#define IOSPAN_SCAN_BPF_H

#include "bpf/cells.bpf.h"
#include "bpf/queue.bpf.h"
#include "bpf/record.bpf.h"

/* A position on a disk and a file that are not known. */
static const struct file_at nowhere = { .offset = TRACE_NO_OFFSET };

/* Records the interval [@start, @end) of the request in @s. @at is the same as in
 * record_device(). */
static __noinline void record_slot(struct slot *s, u64 start, u64 end, const struct file_at *at,
				   u32 flags)
{
	u64 held = s->held_ns ? s->held_ns + end - start : 0;

	record_device(s->cell, start, end, s->bytes, at, held, s->queued_ns, flags, s->tgid);
}

/* Ends the access in @s, because no BPF program saw its completion. The loss was detected at
 * @now. */
static __always_inline void slot_repair(struct slot *s, u64 start, u64 now)
{
	if (!start)
		return;
	now = cell_repair(&s->cell, &s->span, s->bytes, start, now);
	if (recording)
		record_slot(s, start, now, &nowhere, TRACE_UNTIMED);
}

/* A scan examines the requests of a queue that are in flight for longer than this. While requests
 * are issued to the queue, a scan also starts at this interval. So a lost completion is detected
 * after at most 1 ms. */
#define SCAN_NS 500000

/* Looks for lost completions in a part of the queue of @hctx, unless another CPU has done so since
 * @last. Returns 1 if a part is left. It is a global function, so that the verifier checks it only
 * once. */
int scan_queue(u64 hctx, u64 last, u64 now);

/* Ends the access with @tag of @hctx if it lost its completion and is older than the current median
 * latency. */
int scan_tag(u64 hctx, u32 tag, u64 now);

/* Scans @q if the last scan is older than SCAN_NS. It is called before a request of @disk is issued
 * to @q, so that a lost access ends before the new one starts. */
static __always_inline void scan_if_due(struct queue *q, struct gendisk *disk, u64 now)
{
	u64 last;

	if (!q || !disk || !queue_serves(q, disk))
		return;
	last = q->scanned_ns;
	if (UNLIKELY(now - last > SCAN_NS))
		scan_queue(q->hctx, last, now);
}

#endif
