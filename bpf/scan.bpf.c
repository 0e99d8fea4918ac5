// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/scan.bpf.h"

struct scan {
	/* address of an array of struct request *, which are the requests of the block by tag */
	u64 requests;
	u64 flush; /* address of the queue's struct request for flushes */
	u64 now;
	u32 first;     /* number of the block's first slot (struct slot) */
	u32 first_tag; /* tag of the block's first slot */
	u32 n;	       /* number of slots of the block */
	u32 next;      /* index in the block of the slot to examine next */
	int budget;    /* number of slots that this run may still examine */
};

/* The budget of one run: it examines this many slots (struct slot). A request that is in flight for
 * SCAN_NS or longer costs as much as SCAN_OLD slots. A repair costs as much as SCAN_LOST slots. */
#define SCAN_SLOTS 256
#define SCAN_OLD 8
#define SCAN_LOST 40

/* Returns true if the kernel has freed @rq: its reference count is 0. The kernel frees a request
 * after its completion, which a BPF program should have seen. The request's state would not help:
 * the kernel sets it to in flight only after the issue event. */
static __always_inline bool request_is_free(struct request *rq)
{
	u32 references = 1;

	return rq && !bpf_core_read(&references, sizeof(references), &rq->ref) && !references;
}

/* Returns true if the flush with @tag has ended. While a flush runs, its request @rq has the tag of
 * the request that it runs for. Afterwards it has no tag. */
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

/* Ends the access in struct slot number @at if its request has ended. @address is the address of
 * the pointer to the request with @tag. @flush is the queue's request for flushes. Returns 1 if the
 * access had lost its completion. It is a global function, so that the verifier checks it only
 * once. */
int slot_scan(u32 at, u32 tag, u64 address, u64 flush, u64 now);
__noinline int slot_scan(u32 at, u32 tag, u64 address, u64 flush, u64 now)
{
	struct slot *s = bpf_map_lookup_elem(&slots, &at), copy;
	struct cell *c;

	if (!s)
		return 0;
	copy = *s; /* @s is copied first: once its start_ns is 0, another request may use it */
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

/* Returns true if the access in @s is in flight for longer than the median latency. A younger
 * access is not suspected, because reading its request would cost more than this test. */
static __always_inline bool is_late(struct slot *s, u64 now)
{
	u64 start = *(volatile u64 *)&s->start_ns;
	struct cell *c = bpf_map_lookup_elem(&cells, &s->cell);
	struct seen_disk *d = c ? bpf_map_lookup_elem(&disks, &c->disk) : NULL;

	return start && d && c->op < DEVICE_OPS && start + d->median_ns[c->op] <= now;
}

/* Why scan_tag() may end the access: on_complete() frees the slot (struct slot) before the kernel
 * frees the request. slot_scan() reads start_ns, then finds the request free, and then exchanges
 * start_ns. If that exchange still succeeds, the completion is lost, no matter how young the access
 * is. */
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

/* Number of slots (struct slot) that one call of scan_slots() examines. A call costs more than a
 * slot, so it examines several. */
#define SCAN_STEP 8

static long scan_slots(u32 step, struct scan *scan)
{
	u32 from = scan->next;

	if (scan->budget <= 0)
		return 1;
	scan->budget -= SCAN_STEP;
	scan->next += SCAN_STEP;
	for (u32 i = 0; i < SCAN_STEP; i++) {
		u32 tag = from + i, at = scan->first + tag;
		struct slot *s = bpf_map_lookup_elem(&slots, &at);
		u64 start;

		if (!s || tag >= scan->n)
			return 1;
		start = *(volatile u64 *)&s->start_ns;
		if (LIKELY(!start || start + SCAN_NS > scan->now))
			continue;
		scan->budget -= SCAN_OLD +
			SCAN_LOST *
				slot_scan(at, scan->first_tag + tag,
					  scan->requests + tag * sizeof(u64), scan->flush,
					  scan->now);
		if (scan->budget <= 0) {
			scan->next = tag + 1;
			return 1;
		}
	}
	return 0;
}

/* Examines the block of slots (struct slot) that starts at @tag, from the slot where the last run
 * stopped. Returns false if the budget was used up before the end of the block. */
static __always_inline bool scan_block(struct queue *q, u32 tag, struct scan *scan)
{
	scan->next = q->scan_at > tag ? q->scan_at - tag : 0;
	if (scan->next < scan->n)
		bpf_loop(SCAN_SLOTS / SCAN_STEP + 1, scan_slots, scan, 0);
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

/* Looks for lost completions in a part of queues[ctx[0]]. Returns 1 if a part is left. This program
 * is not attached to an event. The command runs it, so that iospan also detects losses on a queue
 * to which no request is issued. */
SEC("raw_tp")
int scan_one_queue(u64 *ctx)
{
	struct queue *q = &queues[ctx[0] & (MAX_QUEUES - 1)];

	if (!queue_is_ready(q) || q->ignored || !queue_has_slots(q))
		return 0;
	return scan_queue(q->hctx, q->scanned_ns, bpf_ktime_get_ns());
}
