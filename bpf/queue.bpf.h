/* SPDX-License-Identifier: GPL-2.0 */
/* From a request to its slot: by hardware queue and tag. */
#ifndef IOSPAN_QUEUE_BPF_H
#define IOSPAN_QUEUE_BPF_H

#include "cells.bpf.h"

/* Where the slots of a disk's hardware queue are: they stay its own when the disk
 * goes and another of the same number comes, so that coming and going needs no more
 * slots than what is there at once. */
struct slot_range {
	u32 first;
	u32 depth;
};
struct ranges_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_QUEUES);
	__type(key, u64);		/* dev << 32 | number of the queue */
	__type(value, struct slot_range);
};

extern struct queue queues[MAX_QUEUES];
extern struct ranges_map ranges SEC(".maps");
extern u32 slots_n;

/* Filling a queue takes some us when all is cold; this is some 100. */
#define QUEUE_SPINS 4000
#define QUEUE_WAITS 64

/* True when queue @i has been filled; looks for a while. Global, so that the
 * verifier walks the loop once. */
int queue_wait(u32 i);

static __always_inline u32 queue_number(u64 hctx, u32 probe)
{
	return (address_hash(hctx) + probe) & (MAX_QUEUES - 1);
}

static __always_inline struct queue *queue_at(u64 hctx, u32 probe)
{
	return &queues[queue_number(hctx, probe)];
}

/* The tag that a request has from allocation to its end: the scheduler's if
 * there is one (the driver's comes and goes), else the driver's. A flush
 * request borrows that of the request it runs for. */
static __always_inline u32 tag_of(struct request *rq)
{
	return rq->internal_tag >= 0 ? rq->internal_tag : rq->tag;
}

static __always_inline bool queue_serves(struct queue *q, u32 dev, u32 tag)
{
	return *(volatile u32 *)&q->state == QUEUE_READY && q->dev == dev && tag < q->depth;
}

/* Slots for all tags of @hctx: those that it had, if they are enough. */
static __always_inline struct slot_range queue_range(struct blk_mq_hw_ctx *hctx, u32 dev)
{
	struct blk_mq_tags *tags = hctx->tags, *sched = hctx->sched_tags;
	u64 key = (u64)dev << 32 | hctx->queue_num;
	struct slot_range new = {}, *old = bpf_map_lookup_elem(&ranges, &key);

	if (tags)
		new.depth = tags->nr_tags;
	if (sched && sched->nr_tags > new.depth)
		new.depth = sched->nr_tags;
	if (old && old->depth >= new.depth)
		return *old;
	new.first = __sync_fetch_and_add(&slots_n, new.depth);
	bpf_map_update_elem(&ranges, &key, &new, BPF_ANY);
	return new;
}

static __always_inline void queue_fill(struct queue *q, struct request *rq, u32 dev)
{
	struct slot_range range = queue_range(rq->mq_hctx, dev);
	u64 key = dev;
	u32 *disk = bpf_map_lookup_elem(&disk_index, &key);

	q->disk = disk ? *disk : disk_new(rq->q->disk, dev);
	q->dev = dev;
	q->depth = range.depth;
	q->first = range.first;
	barrier();
	*(volatile u32 *)&q->state = QUEUE_READY;
}

/* The entry of @hctx, taken now if it had none; *@taken says so. *@at: its number. */
static __always_inline struct queue *queue_claim(u64 hctx, bool *taken, u32 *at)
{
	for (u32 i = 0; i < QUEUE_PROBES; i++) {
		struct queue *q = queue_at(hctx, i);
		u64 there = __sync_val_compare_and_swap(&q->hctx, 0, hctx);

		*at = queue_number(hctx, i);
		*taken = there == 0;
		if (*taken || there == hctx)
			return q;
	}
	return NULL;
}

/* The same where all entries are taken: that of the queue which was not used for the
 * longest time. Most likely its disk is gone; if not, it comes back as a new one. */
static __always_inline struct queue *queue_evict(u64 hctx, bool *taken, u32 *at)
{
	u32 oldest = queue_number(hctx, 0);
	struct queue *q;

	for (u32 i = 1; i < QUEUE_PROBES; i++)
		if (queue_at(hctx, i)->scanned_ns < queues[oldest].scanned_ns)
			oldest = queue_number(hctx, i);
	q = &queues[oldest];
	*at = oldest;
	*taken = __sync_val_compare_and_swap(&q->state, QUEUE_READY, QUEUE_BUSY) == QUEUE_READY;
	if (!*taken)
		return NULL;
	q->depth = 0;
	q->hctx = hctx;
	return q;
}

/* Makes the queue of @rq: when it is first seen, when its address serves
 * another disk now, when it has more tags than before (the kernel drains it for
 * that). Whoever meets a queue that is just being filled waits: the other is on
 * another CPU and cannot sleep. */
static __noinline struct queue *queue_make(struct request *rq, u32 dev)
{
	u32 tag = tag_of(rq);
	bool mine = false;
	u32 at = 0;
	struct queue *q = queue_claim((u64)rq->mq_hctx, &mine, &at);

	if (!q)
		q = queue_evict((u64)rq->mq_hctx, &mine, &at);
	if (!q)
		return NULL;
	if (!mine)
		mine = __sync_val_compare_and_swap(&q->state, QUEUE_READY, QUEUE_BUSY) ==
		       QUEUE_READY;
	if (mine) {
		if (q->depth > tag && q->dev == dev)
			*(volatile u32 *)&q->state = QUEUE_READY;
		else
			queue_fill(q, rq, dev);
		return q;
	}
	for (u32 i = 0; i < QUEUE_WAITS; i++)
		if (queue_wait(at))
			break;
	return queue_serves(q, dev, tag) ? q : NULL;
}

static __always_inline struct queue *queue_find(struct request *rq, u32 dev)
{
	u64 hctx = (u64)rq->mq_hctx;

#pragma unroll
	for (u32 i = 0; i < QUEUE_PROBES; i++) {
		struct queue *q = queue_at(hctx, i);

		if (q->hctx == hctx)
			return queue_serves(q, dev, tag_of(rq)) ? q : NULL;
		if (!q->hctx)
			break;
	}
	return NULL;
}

static __always_inline struct slot *slot_of(struct queue *q, struct request *rq)
{
	u32 i = q->first + tag_of(rq);

	return bpf_map_lookup_elem(&slots, &i);
}

/* The slot of @rq and its queue, if there is one; a request of no disk has none. */
static __always_inline struct slot *slot_find(struct request *rq, struct queue **q)
{
	struct gendisk *disk = rq->q->disk;

	*q = disk ? queue_find(rq, disk_dev(disk)) : NULL;
	return *q ? slot_of(*q, rq) : NULL;
}

/* The same, with a queue made for it if there was none; NULL: no room. */
static __always_inline struct slot *slot_make(struct request *rq, struct queue **q)
{
	struct slot *s = slot_find(rq, q);

	if (!*q && rq->q->disk)
		*q = queue_make(rq, disk_dev(rq->q->disk));
	return s || !*q ? s : slot_of(*q, rq);
}

#endif
