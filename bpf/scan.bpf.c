// SPDX-License-Identifier: GPL-2.0-only
/* Scans a hardware queue for requests with a completion that no BPF program saw, and ends their
 * accesses. A slot (struct slot) has the state of the request in flight with one tag. The slots of
 * a queue are in blocks. A scan ends when its budget is used up. The next scan continues at the
 * next slot. */
#include "bpf/scan.bpf.h"

struct scan {
	/* kernel address of the pointer (in blk_mq_tags.static_rqs) to the request with tag
	 * first_tag */
	u64 requests;
	u64 flush; /* kernel address of the queue's struct request for flushes */
	u64 now;
	u32 first; /* index of the block's first slot in the map slots */
	u32 first_tag;
	u32 n;	    /* number of slots of the block */
	u32 next;   /* number within the block of the next slot to examine */
	int budget; /* cost left for this scan; examining one slot costs 1 */
};

/* Maximum cost of a scan. To examine a slot costs 1. If its request is older than SCAN_NS, this
 * costs SCAN_OLD more. If iospan ends the request, this costs SCAN_LOST more. */
#define SCAN_SLOTS 256
#define SCAN_OLD 8
#define SCAN_LOST 40

/* Returns true if the kernel has freed @rq. The kernel frees a request after its completion. The
 * state of @rq is not tested: it becomes "in flight" only after the issue event, so a request that
 * was just issued would look completed. */
static __always_inline bool request_is_free(struct request *rq)
{
	u32 references = 1;

	return rq && !bpf_core_read(&references, sizeof(references), &rq->ref) && !references;
}

/* Returns true if the flush with @tag has ended. A queue uses one struct request, @rq, for all its
 * flushes. When a flush ends, @rq loses its last reference and its tag. */
static __always_inline bool flush_is_over(struct request *rq, u32 tag)
{
	int driver = 0, scheduler = 0;

	if (!rq || bpf_core_read(&driver, sizeof(driver), &rq->tag) ||
	    bpf_core_read(&scheduler, sizeof(scheduler), &rq->internal_tag))
		return false;
	return (u32)(scheduler >= 0 ? scheduler : driver) != tag || request_is_free(rq);
}

static __always_inline bool request_is_over(u32 op, u64 address, u64 flush, u32 tag)
{
	struct request *rq = NULL;

	if (op == OP_FLUSH)
		return flush_is_over((void *)flush, tag);
	bpf_probe_read_kernel(&rq, sizeof(rq), (void *)address);
	return request_is_free(rq);
}

/* If the request in slots[@at] has ended, but no program saw its completion, ends the access and
 * returns 1. Otherwise returns 0. @address is the address of the kernel's pointer to the request
 * with @tag. @flush is the address of the queue's flush request. */
int slot_scan(u32 at, u32 tag, u64 address, u64 flush, u64 now);
__noinline int slot_scan(u32 at, u32 tag, u64 address, u64 flush, u64 now)
{
	struct slot *s = bpf_map_lookup_elem(&slots, &at), copy;
	struct cell *c;

	if (!s)
		return 0;
	/* Copies the slot, because another request may use it once its start_ns is 0. */
	copy = *s;
	c = bpf_map_lookup_elem(&cells, &copy.cell);
	if (!c || !copy.start_ns || !request_is_over(c->op, address, flush, tag) ||
	    __sync_val_compare_and_swap(&s->start_ns, copy.start_ns, 0) != copy.start_ns)
		return 0;
	slot_repair(&copy, copy.start_ns, now);
	return 1;
}

static __always_inline struct blk_mq_tags *tags_of(struct blk_mq_hw_ctx *hctx)
{
	struct blk_mq_tags *tags = BPF_CORE_READ(hctx, sched_tags);

	return tags ? tags : BPF_CORE_READ(hctx, tags);
}

/* Returns true if the access in @s has taken longer than the median latency of its disk and
 * operation. A younger access probably still is in flight, so it is not worth a test. */
static __always_inline bool is_late(struct slot *s, u64 now)
{
	u64 start = *(volatile u64 *)&s->start_ns;
	struct cell *c = bpf_map_lookup_elem(&cells, &s->cell);
	struct seen_disk *d = c ? bpf_map_lookup_elem(&disks, &c->disk) : NULL;

	return start && d && c->op < DEVICE_OPS && start + d->median_ns[c->op] <= now;
}

/* If the access with @tag is late, ends it if its completion was lost. Unlike a scan, does so even
 * if the access is younger than SCAN_NS. This is safe: a program that sees a completion sets
 * start_ns to 0 before the kernel frees the request. slot_scan() ends the access only if the
 * request is free and start_ns is not 0. */
__noinline int scan_tag(u64 address, u32 tag, u64 now)
{
	struct blk_mq_hw_ctx *hctx = (void *)address;
	struct queue *q = queue_of(hctx);
	u32 at = q ? slot_number(q, tag) - 1 : ~0U;
	struct slot *s = bpf_map_lookup_elem(&slots, &at);
	struct blk_mq_tags *tags = s && is_late(s, now) ? tags_of(hctx) : NULL;

	if (!tags || tag >= BPF_CORE_READ(tags, nr_tags))
		return 0;
	return slot_scan(at, tag, (u64)BPF_CORE_READ(tags, static_rqs) + tag * sizeof(u64),
			 (u64)BPF_CORE_READ(hctx, fq, flush_rq), now);
}

/* Number of slots that one call of scan_step() examines. It is above 1, because a call costs more
 * than examining a slot. */
#define SCAN_STEP 8

/* Examines the next SCAN_STEP slots of block @scan. Returns 1 if the scan must end, else 0. A
 * global function with its state in memory is cheap to verify, because the verifier does not track
 * values in memory. */
int scan_step(struct scan *scan);
__noinline int scan_step(struct scan *scan)
{
	if (!scan || scan->budget <= 0)
		return 1;
	scan->budget -= SCAN_STEP;
	for (u32 i = 0; i < SCAN_STEP; i++) {
		u32 tag = *(volatile u32 *)&scan->next, at = scan->first + tag;
		struct slot *s = bpf_map_lookup_elem(&slots, &at);
		u64 start;

		if (!s || tag >= scan->n)
			return 1;
		*(volatile u32 *)&scan->next = tag + 1;
		start = *(volatile u64 *)&s->start_ns;
		if (LIKELY(!start || start + SCAN_NS > scan->now))
			continue;
		scan->budget -= SCAN_OLD +
			SCAN_LOST *
				slot_scan(at, scan->first_tag + tag,
					  scan->requests + tag * sizeof(u64), scan->flush,
					  scan->now);
		if (*(volatile int *)&scan->budget <= 0)
			return 1;
	}
	return 0;
}

/* Continues the scan of @q in one block of slots. @tag is the tag of the block's first slot.
 * Returns false if the budget is used up. */
static __always_inline bool scan_block(struct queue *q, u32 tag, struct scan *scan)
{
	scan->next = q->scan_at > tag ? q->scan_at - tag : 0;
	if (scan->next < scan->n)
		for (u32 i = 0; i <= SCAN_SLOTS / SCAN_STEP && !scan_step(scan); i++)
			;
	if (scan->next >= scan->n)
		return true;
	q->scan_at = tag + scan->next;
	return false;
}

__noinline int scan_queue(u64 address, u64 last, u64 now)
{
	struct blk_mq_hw_ctx *hctx = (void *)address;
	struct queue *q = queue_of(hctx);
	struct blk_mq_tags *tags = tags_of(hctx);
	struct scan scan = { .now = now, .budget = SCAN_SLOTS };
	u32 depth, tag = 0, nr_tags;

	if (!q || __sync_val_compare_and_swap(&q->scanned_ns, last, now) != last)
		return 0;
	q->blkg = 0;
	if (!has_loop)
		return 0;
	depth = q->depth;
	nr_tags = BPF_CORE_READ(tags, nr_tags);
	scan.requests = (u64)BPF_CORE_READ(tags, static_rqs);
	scan.flush = (u64)BPF_CORE_READ(hctx, fq, flush_rq);
	for (u32 i = 0; i < SLOT_BLOCKS && tag < nr_tags; i++) {
		if (q->blocks[i]) {
			scan.first = q->blocks[i] - 1;
			scan.first_tag = tag;
			scan.n = depth < nr_tags - tag ? depth : nr_tags - tag;
			if (!scan_block(q, tag, &scan))
				return 1;
		}
		scan.requests += depth * sizeof(u64);
		tag += depth;
		depth = tag;
	}
	q->scan_at = 0;
	return 0;
}

/* Scans queue number ctx[0] for lost completions. Returns 1 if some of its slots are left to scan.
 * iospan runs this program for idle queues. */
SEC("raw_tp")
int scan_one_queue(u64 *ctx)
{
	struct queue *q = &queues[ctx[0] & (MAX_QUEUES - 1)];

	if (!queue_is_ready(q) || q->ignored || !queue_has_slots(q))
		return 0;
	return scan_queue(q->hctx, q->scanned_ns, bpf_ktime_get_ns());
}
