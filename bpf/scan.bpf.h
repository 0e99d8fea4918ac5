/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds requests with an unseen completion, and ends their accesses (repairs them). The search
 * through the requests of a hardware queue is called a scan. A slot (struct slot) has the state of
 * the request in flight with one tag of a queue. */
#ifndef IOSPAN_SCAN_BPF_H
#define IOSPAN_SCAN_BPF_H

#include "bpf/cells.bpf.h"
#include "bpf/queue.bpf.h"
#include "bpf/record.bpf.h"

/* value for a device access if its offset and file are not known */
static const struct file_at nowhere = { .offset = TRACE_NO_OFFSET };

/* Records the interval [@start, @end) of the request in slot @s. @at has the disk offset and, if
 * known, the file. */
static __noinline void record_slot(struct slot *s, u64 start, u64 end, const struct file_at *at,
				   u32 flags)
{
	u64 held = s->held_ns ? s->held_ns + end - start : 0;

	record_device(s->cell, start, end, s->bytes, at, held, s->queued_ns, flags, s->tgid);
}

/* Ends the access in @s, because no program saw its completion. It started at @start; 0: there is
 * no access. @now is the time of the detection. The end is estimated. */
static __always_inline void slot_repair(struct slot *s, u64 start, u64 now)
{
	if (!start)
		return;
	now = cell_repair(&s->cell, &s->span, s->bytes, start, now);
	if (recording)
		record_slot(s, start, now, &nowhere, TRACE_UNTIMED);
}

/* A scan examines only requests older than SCAN_NS (0.5 ms). A queue in use is scanned at intervals
 * of SCAN_NS. So a lost completion is detected within 1 ms. */
#define SCAN_NS 500000

/* Continues the scan of hardware queue @hctx. Does nothing if another CPU has scanned the queue
 * since @last. Returns 1 if a part of the queue is not scanned yet. */
int scan_queue(u64 hctx, u64 last, u64 now);

/* Examines the access with @tag if it is older than the median latency of its disk and operation.
 * If its completion was lost, ends the access. */
int scan_tag(u64 hctx, u32 tag, u64 now);

/* Scans @q if its last scan was more than SCAN_NS ago. Called when a request of @disk is issued. */
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
