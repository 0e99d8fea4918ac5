/* SPDX-License-Identifier: GPL-2.0-only */
/* From a request to its slot: by hardware queue and tag. */
#ifndef IOSPAN_QUEUE_BPF_H
#define IOSPAN_QUEUE_BPF_H

#include "bpf/cells.bpf.h"

/* Where the slots of a disk's hardware queue are: they stay its own when the disk
 * goes and another of the same number comes, so that coming and going needs no more
 * slots than what is there at once. */
struct slot_range {
	u64 hctx; /* that of the queue which has the slots now */
	u32 depth;
	u32 rows[SLOT_ROWS]; /* as in struct queue */
};
struct ranges_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_QUEUES);
	__type(key, u64); /* dev << 32 | number of the queue */
	__type(value, struct slot_range);
};

extern struct queue queues[MAX_QUEUES];
extern struct ranges_map ranges SEC(".maps");
extern u32 slots_n;

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
	int tag = rq->internal_tag;

	barrier_var(tag); /* or an address is chosen, at twice the price */
	return tag >= 0 ? tag : rq->tag;
}

/* Which of a queue's rows @tag is in; SLOT_ROWS: none. */
static __always_inline u32 slot_row(struct queue *q, u32 tag)
{
#pragma unroll
	for (u32 i = 0; i < SLOT_ROWS; i++)
		if (tag < q->depth << i)
			return i;
	return SLOT_ROWS;
}

/* slot_number() where there are more tags than at first. */
static __noinline u32 slot_number_above(struct queue *q, u32 tag)
{
	u32 i = slot_row(q, tag), first;

	if (i < 1 || i >= SLOT_ROWS)
		return 0;
	first = *(volatile u32 *)&q->rows[i];
	return first ? first + tag - (q->depth << (i - 1)) : 0;
}

/* Number and 1 of the slot of @tag; 0: there is no row for it yet. */
static __always_inline u32 slot_number(struct queue *q, u32 tag)
{
	return LIKELY(tag < q->depth) ? q->rows[0] + tag : slot_number_above(q, tag);
}

static __always_inline bool queue_is_ready(struct queue *q)
{
	return *(volatile u32 *)&q->state == QUEUE_READY;
}

static __always_inline bool queue_serves(struct queue *q, struct gendisk *disk)
{
	return queue_is_ready(q) && q->diskseq == disk->diskseq;
}

/* @disk, whose queue this is, is none of those that are wanted. */
static __always_inline bool queue_ignores(struct queue *q, struct gendisk *disk)
{
	return some_disks && q && disk && q->ignored && q->diskseq == disk->diskseq;
}

static __always_inline u64 range_key(u32 dev, u32 number)
{
	return (u64)dev << 32 | number;
}

/* Whether the slots of @q are its own still. When its disk is gone, another disk of the same
 * number has them, and the hardware queue of @q is freed memory. */
static __always_inline bool queue_has_slots(struct queue *q)
{
	u64 key = range_key(q->dev, q->number);
	struct slot_range *range = bpf_map_lookup_elem(&ranges, &key);

	return range && range->hctx == q->hctx;
}

/* The slots of @hctx: those that its like had before, or new ones. NULL: no room. */
static __always_inline struct slot_range *queue_range(struct blk_mq_hw_ctx *hctx, u32 dev)
{
	u64 key = range_key(dev, hctx->queue_num);
	struct slot_range new = {}, *range = bpf_map_lookup_elem(&ranges, &key);

	if (range)
		return range;
	new.depth = SLOT_ROW_MIN;
	if (hctx->tags && hctx->tags->nr_tags > new.depth)
		new.depth = hctx->tags->nr_tags;
	new.rows[0] = __sync_fetch_and_add(&slots_n, new.depth) + 1;
	bpf_map_update_elem(&ranges, &key, &new, BPF_NOEXIST);
	return bpf_map_lookup_elem(&ranges, &key);
}

/* The queue has more tags than before: another row. Who is in flight stays. */
static __always_inline void queue_grow(struct queue *q, struct blk_mq_hw_ctx *hctx, u32 dev,
				       u32 row)
{
	struct slot_range *range = queue_range(hctx, dev);
	u32 there;

	if (!range || row < 1 || row >= SLOT_ROWS)
		return;
	there = range->rows[row];
	if (!there) {
		u32 new = __sync_fetch_and_add(&slots_n, q->depth << (row - 1)) + 1;

		there = __sync_val_compare_and_swap(&range->rows[row], 0, new);
		if (!there)
			there = new;
	}
	*(volatile u32 *)&q->rows[row] = there;
}

/* Several CPUs may fill one entry at once: each writes the same. */
static __always_inline void queue_fill(struct queue *q, struct blk_mq_hw_ctx *hctx,
				       struct gendisk *disk)
{
	bool ignored = disk_is_ignored(disk);
	struct slot_range *range = ignored ? NULL : queue_range(hctx, disk_dev(disk));

	q->blkg = 0;
	q->ignored = ignored;
	q->disk = ignored ? MAX_DISKS : disk_find(disk);
	q->diskseq = disk->diskseq;
	q->number = hctx->queue_num;
	q->dev = disk_dev(disk);
	if (range) {
		*(volatile u64 *)&range->hctx = (u64)hctx;
		__builtin_memcpy(q->rows, range->rows, sizeof(q->rows));
	}
	q->depth = range ? range->depth : 0;
	barrier();
	*(volatile u32 *)&q->state = QUEUE_READY;
}

/* The entry of @hctx, taken now if it had none. */
static __always_inline struct queue *queue_claim(u64 hctx)
{
	for (u32 i = 0; i < QUEUE_PROBES; i++) {
		struct queue *q = queue_at(hctx, i);
		u64 there = __sync_val_compare_and_swap(&q->hctx, 0, hctx);

		if (!there || there == hctx)
			return q;
	}
	return NULL;
}

/* The same where all entries are taken: that of the queue which was not used for the
 * longest time. Most likely its disk is gone; if not, it comes back as a new one. */
static __always_inline struct queue *queue_evict(u64 hctx)
{
	u32 oldest = queue_number(hctx, 0);
	struct queue *q;

	for (u32 i = 1; i < QUEUE_PROBES; i++)
		if (queue_at(hctx, i)->scanned_ns < queues[oldest].scanned_ns)
			oldest = queue_number(hctx, i);
	q = &queues[oldest];
	if (__sync_val_compare_and_swap(&q->state, QUEUE_READY, QUEUE_BUSY) != QUEUE_READY)
		return NULL;
	q->depth = 0;
	q->hctx = hctx;
	return q;
}

/* The entry is that of @rq's queue. Its disk may be another by now, or the same one with
 * other data; and tags may be more than before. */
static __always_inline void queue_renew(struct queue *q, struct blk_mq_hw_ctx *hctx,
					struct gendisk *disk, u32 tag)
{
	u32 dev = disk_dev(disk);

	/* whoever was ignored has no slots */
	if (q->dev != dev || (some_disks && q->diskseq != disk->diskseq)) {
		*(volatile u32 *)&q->state = QUEUE_BUSY;
		queue_fill(q, hctx, disk);
		return;
	}
	if (q->diskseq != disk->diskseq) {
		q->blkg = 0;
		q->disk = disk_find(disk);
		q->diskseq = disk->diskseq;
	}
	if (!slot_number(q, tag))
		queue_grow(q, hctx, dev, slot_row(q, tag));
}

/* Makes the queue of @rq fit for it: when it is first seen, when its address or number
 * serves another disk now, when it has more tags than before. Whoever meets a queue that
 * another CPU is filling fills it as well, instead of waiting. */
static __noinline struct queue *queue_make(struct request *rq, struct blk_mq_hw_ctx *hctx,
					   struct gendisk *disk)
{
	struct queue *q = queue_claim((u64)hctx);

	if (!q)
		q = queue_evict((u64)hctx);
	if (!q)
		return NULL;
	if (!queue_is_ready(q))
		queue_fill(q, hctx, disk);
	queue_renew(q, hctx, disk, tag_of(rq));
	return queue_serves(q, disk) ? q : NULL;
}

/* The entry of @hctx where the first place that it may have is another's. */
static __noinline struct queue *queue_seek(u64 hctx)
{
#pragma unroll
	for (u32 i = 1; i < QUEUE_PROBES; i++) {
		struct queue *q = queue_at(hctx, i);

		if (q->hctx == hctx)
			return q;
		if (!q->hctx)
			break;
	}
	return NULL;
}

/* The entry of @of, whichever disk it was made for. */
static __always_inline struct queue *queue_of(struct blk_mq_hw_ctx *of)
{
	u64 hctx = (u64)of;
	struct queue *q = queue_at(hctx, 0);

	if (UNLIKELY(q->hctx != hctx))
		q = q->hctx ? queue_seek(hctx) : NULL;
	return q && LIKELY(queue_is_ready(q)) ? q : NULL;
}

static __always_inline struct slot *slot_of(struct queue *q, struct request *rq)
{
	u32 i = slot_number(q, tag_of(rq)) - 1;

	return bpf_map_lookup_elem(&slots, &i);
}

/* The slot of @rq and its queue, if there is one; a request of no disk has none. @hctx and
 * @disk are its own: who asks several times reads them once, see target_runs(). */
static __always_inline struct slot *slot_find(struct request *rq, struct blk_mq_hw_ctx *hctx,
					      struct gendisk *disk, struct queue **q)
{
	*q = disk ? queue_of(hctx) : NULL;
	return *q && queue_serves(*q, disk) ? slot_of(*q, rq) : NULL;
}

/* The same, with a queue made for it if there was none; NULL: no room. */
static __always_inline struct slot *slot_make(struct request *rq, struct blk_mq_hw_ctx *hctx,
					      struct gendisk *disk, struct queue **q)
{
	struct slot *s = slot_find(rq, hctx, disk, q);

	if (s || !disk || queue_ignores(*q, disk))
		return s;
	*q = queue_make(rq, hctx, disk);
	return *q ? slot_of(*q, rq) : NULL;
}

#endif
