/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the slot of a request by its hardware queue and tag. A slot (struct slot) has the state of
 * a request in flight. An element of queues[] (struct queue) shows which slots a hardware queue
 * has. The slots of a queue are in blocks: if the kernel adds tags, the queue gets one more block.
 * A hardware queue may use only the QUEUE_PROBES elements that a hash of its address selects. */
#ifndef IOSPAN_QUEUE_BPF_H
#define IOSPAN_QUEUE_BPF_H

#include "bpf/cells.bpf.h"

/* The slots of one hardware queue. If its disk is removed, the next disk with the same device
 * number gets these slots. So iospan does not run out of slots if disks are added and removed for
 * weeks. */
struct slot_range {
	u64 hctx; /* kernel address of the hardware queue that uses the slots now */
	u32 depth;
	u32 blocks[SLOT_BLOCKS]; /* copy of blocks[] in struct queue */
};
struct ranges_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_QUEUES);
	__type(key, u64); /* dev << 32 | number of the hardware queue */
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

/* Returns the tag that @rq keeps until its end. With an I/O scheduler, this is the scheduler's tag,
 * because the driver's tag may change. Without a scheduler, it is the driver's tag. A flush has the
 * tag of the request for which the kernel flushes. */
static __always_inline u32 tag_of(struct request *rq)
{
	int tag = rq->internal_tag;

	/* Without this statement, the compiler selects the address of one of the two tags and then
	 * loads the tag. This costs twice as much. */
	barrier_var(tag);
	return tag >= 0 ? tag : rq->tag;
}

/* Returns the index in q->blocks of the block that has the slot of @tag; SLOT_BLOCKS: none has
 * it. */
static __always_inline u32 slot_block(struct queue *q, u32 tag)
{
#pragma unroll
	for (u32 i = 0; i < SLOT_BLOCKS; i++)
		if (tag < q->depth << i)
			return i;
	return SLOT_BLOCKS;
}

/* Slow path of slot_number(), for tags that are not in the first block. */
static __noinline u32 slot_number_above(struct queue *q, u32 tag)
{
	u32 i = slot_block(q, tag), first;

	if (i < 1 || i >= SLOT_BLOCKS)
		return 0;
	first = *(volatile u32 *)&q->blocks[i];
	return first ? first + tag - (q->depth << (i - 1)) : 0;
}

/* Returns the number of the slot for @tag in queue @q: its index in the map slots, plus 1. Returns
 * 0 if @q has no block for @tag yet. */
static __always_inline u32 slot_number(struct queue *q, u32 tag)
{
	return LIKELY(tag < q->depth) ? q->blocks[0] + tag : slot_number_above(q, tag);
}

static __always_inline bool queue_is_ready(struct queue *q)
{
	return *(volatile u32 *)&q->state == QUEUE_READY;
}

static __always_inline bool queue_serves(struct queue *q, struct gendisk *disk)
{
	return queue_is_ready(q) && q->diskseq == disk->diskseq;
}

/* Returns true if @q was filled in for @disk, and iospan does not measure @disk. */
static __always_inline bool queue_ignores(struct queue *q, struct gendisk *disk)
{
	return some_disks && q && disk && q->ignored && q->diskseq == disk->diskseq;
}

static __always_inline u64 range_key(u32 dev, u32 number)
{
	return (u64)dev << 32 | number;
}

/* Returns true if @q still owns its slots. Otherwise, its disk was removed, and another disk with
 * the same device number has the slots. The kernel has freed the hardware queue then, so the
 * pointer q->hctx must not be followed. */
static __always_inline bool queue_has_slots(struct queue *q)
{
	u64 key = range_key(q->dev, q->number);
	struct slot_range *range = bpf_map_lookup_elem(&ranges, &key);

	return range && range->hctx == q->hctx;
}

/* Returns the slots of hardware queue @hctx of the disk with device number @dev. If a removed disk
 * with the same number had slots, these are reused. Otherwise reserves new slots. Returns NULL if
 * there is no room. */
static __always_inline struct slot_range *queue_range(struct blk_mq_hw_ctx *hctx, u32 dev)
{
	u64 key = range_key(dev, hctx->queue_num);
	struct slot_range new = {}, *range = bpf_map_lookup_elem(&ranges, &key);

	if (range)
		return range;
	new.depth = SLOT_BLOCK_MIN;
	if (hctx->tags && hctx->tags->nr_tags > new.depth)
		new.depth = hctx->tags->nr_tags;
	new.blocks[0] = __sync_fetch_and_add(&slots_n, new.depth) + 1;
	bpf_map_update_elem(&ranges, &key, &new, BPF_NOEXIST);
	return bpf_map_lookup_elem(&ranges, &key);
}

/* Gives @q block number @block of slots, because the kernel has given the queue more tags. */
static __always_inline void queue_grow(struct queue *q, struct blk_mq_hw_ctx *hctx, u32 dev,
				       u32 block)
{
	struct slot_range *range = queue_range(hctx, dev);
	u32 there;

	if (!range || block < 1 || block >= SLOT_BLOCKS)
		return;
	there = range->blocks[block];
	if (!there) {
		u32 new = __sync_fetch_and_add(&slots_n, q->depth << (block - 1)) + 1;

		there = __sync_val_compare_and_swap(&range->blocks[block], 0, new);
		if (!there)
			there = new;
	}
	*(volatile u32 *)&q->blocks[block] = there;
}

/* Fills in @q for hardware queue @hctx. Several CPUs may do this at the same time: they write the
 * same values. */
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
		__builtin_memcpy(q->blocks, range->blocks, sizeof(q->blocks));
	}
	q->depth = range ? range->depth : 0;
	barrier();
	*(volatile u32 *)&q->state = QUEUE_READY;
}

/* Returns the element of queues[] for @hctx, or reserves one. Returns NULL if other hardware queues
 * have all elements that @hctx may use. */
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

/* Takes an element of queues[] from another hardware queue, and returns it. Selects the element
 * with the oldest scan for lost completions, because its disk was most likely removed. If the disk
 * still exists, its queue gets another element at its next request. Returns NULL if another CPU is
 * changing the element. */
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

/* Updates @q, the element of queues[] for @hctx. This is necessary if @q is still filled in for an
 * earlier disk, or has no slot for @tag. */
static __always_inline void queue_renew(struct queue *q, struct blk_mq_hw_ctx *hctx,
					struct gendisk *disk, u32 tag)
{
	u32 dev = disk_dev(disk);

	/* If iospan measures only some disks, it may not have measured the earlier disk. @q then
	 * has no slots, so all of @q is filled in again. */
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
		queue_grow(q, hctx, dev, slot_block(q, tag));
}

/* Makes or updates the element of queues[] for the hardware queue of @rq, so that the queue has a
 * slot for @rq. Returns NULL if there is no room. Several CPUs may do this at the same time. They
 * need not wait for each other, because all write the same values. */
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

/* Slow path of queue_of(), if the first element that @hctx may use belongs to another queue.
 * Searches the other elements that @hctx may use. */
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

/* Returns the element of queues[] for hardware queue @of, or NULL. The element may still have the
 * values of an earlier disk. So the caller must call queue_serves(), which returns false then. */
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

/* Returns the slot of @rq, and sets *@q to the element of its queue. Returns NULL if @rq has no
 * slot; for instance, a request without a disk has none. @hctx is rq->mq_hctx, and @disk is
 * rq->q->disk. They are parameters, because the verifier needs much time for each read of such a
 * pointer. */
static __always_inline struct slot *slot_find(struct request *rq, struct blk_mq_hw_ctx *hctx,
					      struct gendisk *disk, struct queue **q)
{
	*q = disk ? queue_of(hctx) : NULL;
	return *q && queue_serves(*q, disk) ? slot_of(*q, rq) : NULL;
}

/* Like slot_find(), but makes the slot if necessary. Returns NULL if there is no room. */
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
