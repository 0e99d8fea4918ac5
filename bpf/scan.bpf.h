/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds requests for which no BPF program saw the completion, and ends their accesses (repairs
 * them). */
#ifndef IOSPAN_SCAN_BPF_H
#define IOSPAN_SCAN_BPF_H

#include "bpf/cells.bpf.h"
#include "bpf/queue.bpf.h"
#include "bpf/record.bpf.h"

/* position of a device access with an unknown offset and file */
static const struct file_at nowhere = { .offset = TRACE_NO_OFFSET };

/* Records the interval [@start, @end) of the request in slot @s. @at has its offset on the disk,
 * and the file if it is known. */
static __noinline void record_slot(struct slot *s, u64 start, u64 end, const struct file_at *at,
				   u32 flags)
{
	u64 held = s->held_ns ? s->held_ns + end - start : 0;

	record_device(s->cell, start, end, s->bytes, at, held, s->queued_ns, flags, s->tgid);
}

/* Ends the access in slot @s at an estimated time, because no BPF program saw its completion. The
 * loss was detected at @now. */
static __always_inline void slot_repair(struct slot *s, u64 start, u64 now)
{
	if (!start)
		return;
	now = cell_repair(&s->cell, &s->span, s->bytes, start, now);
	if (recording)
		record_slot(s, start, now, &nowhere, TRACE_UNTIMED);
}

/* Age from which a scan examines a request, in ns. Also the interval of the scans while requests
 * are issued to a queue. So a lost completion is detected after at most 1 ms, two times this
 * value. */
#define SCAN_NS 500000

/* Looks for lost completions in a part of hardware queue @hctx, up to the budget of a scan. Does
 * nothing if another CPU has scanned the queue since @last. Returns 1 if a part is left. A global
 * function, so that the verifier checks it only once. */
int scan_queue(u64 hctx, u64 last, u64 now);

/* Ends the access with tag @tag of hardware queue @hctx, if its completion was lost and it is older
 * than the median latency of its disk and operation. */
int scan_tag(u64 hctx, u32 tag, u64 now);

/* Scans queue @q for lost completions if the last scan is older than SCAN_NS. The caller then
 * issues a request of @disk to @q, so a lost access ends before the new one starts. */
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
