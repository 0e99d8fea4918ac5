// SPDX-License-Identifier: GPL-2.0-only
/* Measures the device layer of disks that take requests. An access lasts from block_rq_issue to the
 * final block_rq_complete. The state of a request is in an array (struct slot), found by its
 * hardware queue and tag. So no lock is needed, and a lost completion is noticed when the next
 * request has the tag. */
#include "bpf/bio-file.bpf.h"
#include "bpf/nested.bpf.h"
#include "bpf/slot.bpf.h"

struct queue queues[MAX_QUEUES] = {};
struct ranges_map ranges SEC(".maps");
u32 slots_n = 0;
const volatile bool has_io_start = true;

/* Returns the group number of flush request @rq: that of the request for which the kernel flushes.
 * During the flush, the bio of that request is NULL, but its biotail is still set
 * (blk_flush_restore_request()). */
static __noinline u32 flush_group(struct request *rq)
{
	struct blkcg_gq *blkg = NULL;
	struct cgroup *cg;

	if ((rq->cmd_flags & OP_MASK) != K_FLUSH || !bpf_core_field_exists(rq->bio->bi_blkg))
		return GROUP_NONE;
	blkg = BPF_CORE_READ(flush_owner(rq), biotail, bi_blkg);
	cg = BPF_CORE_READ(blkg, blkcg, css.cgroup);
	return probed_group(cg, &charged);
}

/* Returns the group number of the cgroup to which the kernel charges @rq, or GROUP_NONE if iospan
 * does not measure it. @bio is the first bio of @rq. */
static __always_inline u32 charged_group(struct request *rq, struct bio *bio)
{
	return LIKELY(bio) ? bio_group(bio) : flush_group(rq);
}

static __always_inline bool is_passthrough(struct request *rq)
{
	u32 op = rq->cmd_flags & OP_MASK;

	return op == K_DRV_IN || op == K_DRV_OUT;
}

/* Returns the group number of the cgroup to which @rq belongs when it is issued, or GROUP_NONE if
 * iospan does not measure it.
 *
 * If BY_TASK, this is the cgroup of the task that submitted @rq. An earlier BPF program has stored
 * its group number in @s while that task ran: at block_io_start or, before 6.5, when the request
 * entered the scheduler. A request that did not enter the scheduler is issued by the task that
 * submits it.
 *
 * If BY_BLKCG, this is the cgroup that the kernel charges. It charges none for pass-through
 * commands. These are issued by the task that waits for them, so the cgroup of the running task is
 * used. */
static __always_inline u32 slot_group(struct slot *s, struct request *rq, struct bio *bio)
{
	if (attribution == BY_BLKCG)
		return is_passthrough(rq) ? current_group() : charged_group(rq, bio);
	if (!has_io_start && !(s && s->queued_at_ns))
		return current_group();
	return s ? s->submitter : 0;
}

/* Adds the access of @rq in slot @s to its span. If the span already has exactly one access, the
 * request of that access may have ended without a completion event, so that the span is busy but
 * nothing is in flight. At queue depth 1, that access is the one that made the span busy, and
 * own->first has its tag. scan_tag() finds the request by the tag. If the request has ended,
 * scan_tag() ends the access. */
static __always_inline void slot_enter(struct queue *q, struct slot *s, struct request *rq, u64 now)
{
	struct span *own = bpf_map_lookup_elem(&spans, &s->span);

	if (!own)
		return;
	if (UNLIKELY(span_count(span_read(&own->word)) == 1))
		scan_tag(q->hctx, own->first, now);
	if (UNLIKELY(enter_span(own, &s->span, now))) {
		*(volatile u64 *)&own->first = tag_of(rq);
		cell_transition(s->cell, now, true);
	}
}

/* Starts the access of @rq, which is issued with slot @s. It changes the span before it writes to
 * @s: otherwise the atomic operation on the span would have to wait for these writes. */
static __always_inline void issue_first(struct queue *q, struct slot *s, struct request *rq,
					u32 group, u64 now)
{
	struct cell *c = bpf_map_lookup_elem(&cells, &s->cell);
	u32 op = op_of(rq->cmd_flags);

	if (UNLIKELY(!cell_is(c, group, q->disk, op)) && !slot_cell(s, q, group, op))
		return;
	slot_enter(q, s, rq, now);
	s->held_ns = 0;
	s->queued_ns = 0;
	s->done = 0;
	s->flags = 0;
	if (recording && !s->queued_at_ns)
		s->tgid = record_process(0);
	slot_issue(s, rq->__data_len, now);
}

/* Handles the issue of @rq if its cgroup is not known yet, or if slot @s has another request. Even
 * if @rq is not measured, it makes sure that @q belongs to the disk of @rq and that no other
 * request is in @s: request_complete() relies on that. */
static __noinline void issue_slow_path(struct request *rq, struct queue *q, struct slot *s, u64 now)
{
	struct blk_mq_hw_ctx *hctx = rq->mq_hctx;
	struct gendisk *disk = rq->q->disk;
	struct bio *bio = rq->bio;
	u32 group;

	if (disk && q && !(s && queue_serves(q, disk)))
		s = slot_make(rq, hctx, disk, &q);
	group = disk ? slot_group(s, rq, bio) : GROUP_NONE;
	if (group && !q)
		s = slot_make(rq, hctx, disk, &q);
	if (queue_ignores(q, disk))
		return;
	if (s && !slot_is_free(s) && slot_free(s, rq, now))
		return;
	if (!group) {
		note_charged_above(bio);
		if (s && s->queued_at_ns)
			s->queued_at_ns = 0;
		return;
	}
	if (!s || !q) {
		count(&losses.no_slot);
		return;
	}
	issue_first(q, s, rq, group, now);
	if (attribution == BY_BLKCG && !per_cgroup && bio && !is_passthrough(rq))
		q->blkg = (u64)bio_blkg(bio);
}

/* Returns true if the kernel charges @rq to the same blkg (pair of cgroup and disk) as a measured
 * request since the last scan of @q. Then @rq is measured, too, and no look-up is needed. Each scan
 * clears q->blkg, because the kernel may reuse the address of a blkg. */
static __always_inline bool charged_as_before(struct queue *q, struct request *rq, u64 now)
{
	u64 blkg = q->blkg;

	return now - q->scanned_ns <= SCAN_NS && blkg && rq->bio && (u64)bio_blkg(rq->bio) == blkg;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(on_issue, struct request *rq)
{
	struct queue *q = queue_of(rq->mq_hctx);
	struct slot *s = q ? slot_of(q, rq) : NULL;
	/* The clock is read before the steps below, because their cache misses are not time of the
	 * disk. on_complete() also reads the clock early. Until the span changes, T may lack the
	 * time since this reading, so the steps must be short. */
	u64 now;

	if (some_disks && queue_ignores(q, rq->q->disk))
		return 0;
	now = bpf_ktime_get_ns();
	if (s && q && LIKELY(slot_is_free(s) && charged_as_before(q, rq, now))) {
		issue_first(q, s, rq, GROUP_TOP, now);
	} else {
		scan_if_due(q, rq->q->disk, now);
		issue_slow_path(rq, q, s, now);
	}
	return 0;
}

/* Records the interval [@start, @end) of @rq in slot @s, with its offset on the disk and the file
 * of its first bio. s->done is subtracted from the offset, because the kernel advances rq->__sector
 * at each partial completion. */
static __noinline void record_request(struct slot *s, struct request *rq, u64 start, u64 end,
				      u32 flags)
{
	struct file_at at = nowhere;

	if (rq->__sector != ~0ULL)
		at.offset = (rq->__sector << 9) - s->done;
	bio_file((u64)rq->bio, &at, end);
	record_slot(s, start, end, &at, flags);
}

/* Ends the request's interval, but not its access: the kernel will issue the request again. */
SEC("tp_btf/block_rq_requeue")
int BPF_PROG(on_requeue, struct request *rq)
{
	struct queue *q;
	struct slot *s = slot_find(rq, rq->mq_hctx, rq->q->disk, &q);
	struct cell *c;
	u64 start, now;

	if (!s)
		return 0;
	start = __sync_lock_test_and_set(&s->start_ns, 0);
	c = bpf_map_lookup_elem(&cells, &s->cell);
	if (!start || !c)
		return 0;
	now = bpf_ktime_get_ns();
	cell_leave(&s->cell, &s->span, now);
	if (recording)
		record_request(s, rq, start, now, TRACE_PART);
	s->held_ns += now - start;
	s->queued_at_ns = now;
	s->flags |= SLOT_REQUEUED;
	return 0;
}

/* Returns the group number of @rq when it completes. The current task is unrelated to the request
 * by then. So only the fields of @rq and of its slot @s are used. */
static __always_inline u32 completed_group(struct slot *s, struct request *rq, struct bio *bio)
{
	if (attribution == BY_BLKCG)
		return is_passthrough(rq) ? GROUP_NONE : charged_group(rq, bio);
	return s ? s->submitter : GROUP_NONE;
}

static __always_inline u32 flags_of(bool failed, bool nested)
{
	return (failed ? TRACE_FAILED : 0) | (nested ? TRACE_UNTIMED : 0);
}

/* Records the access of a request that failed after it was requeued, with an interval of length 0:
 * its intervals in flight are already recorded. */
static __always_inline void record_given_up(struct slot *s, bool failed, bool nested)
{
	u64 now = bpf_ktime_get_ns();

	record_slot(s, now, now, &nowhere, flags_of(failed, nested));
}

/* Handles the completion of @rq if its slot (struct slot) has no request in flight. The completion
 * is one of these:
 * - the second completion of a flush sequence (0 bytes);
 * - the end of a request that failed after it was requeued;
 * - the end of a request that the block layer refused before its issue, which is no access;
 * - the end of a request for which no BPF program saw the issue. */
static __noinline void complete_unissued(struct request *rq, int error, u32 bytes, bool nested)
{
	struct bio *bio = rq->bio;
	struct queue *q;
	struct slot *s = slot_find(rq, rq->mq_hctx, rq->q->disk, &q);
	bool failed = error || (s && s->flags & SLOT_FAILED);
	u32 group, cell;
	struct cell *c;

	if (s && s->flags & SLOT_REQUEUED) {
		s->flags = 0;
		s->queued_at_ns = 0;
		c = bpf_map_lookup_elem(&cells, &s->cell);
		if (c)
			access_over(s->cell, row_here(c->row), s->bytes, failed, s->held_ns,
				    s->queued_ns, nested);
		if (c && recording)
			record_given_up(s, failed, nested);
		return;
	}
	if (s)
		s->queued_at_ns = 0;
	if (!bytes || bytes < rq->__data_len || rq->state == MQ_RQ_IDLE)
		return;
	group = completed_group(s, rq, bio);
	if (!group || !q)
		return;
	cell = cell_find(group, q->disk, op_of(rq->cmd_flags));
	c = bpf_map_lookup_elem(&cells, &cell);
	if (!c || !cell)
		return;
	count(&losses.issues);
	cell_count_lost(c, bytes);
	if (recording)
		record_device(cell, 0, 0, bytes, &nowhere, 0, 0, TRACE_UNSPANNED, 0);
}

/* Handles a completion of @bytes, which are only a part of the request in @s: the rest stays in
 * flight. */
static __always_inline void complete_part(struct slot *s, int error, u32 bytes)
{
	s->done += bytes;
	s->flags |= error && bytes ? SLOT_FAILED : 0;
}

/* Handles a completion, full or partial, of the request in @s, which was issued at @start. */
static __always_inline void complete_issued(u64 *ctx, struct slot *s, u64 start, bool nested)
{
	struct request *rq = (void *)ctx[0];
	struct row *r;
	u64 now, ns;
	bool failed;

	if (UNLIKELY((u32)ctx[2] < rq->__data_len)) {
		complete_part(s, ctx[1], ctx[2]);
		return;
	}
	now = bpf_ktime_get_ns();
	if (!slot_take(s, start, now))
		return;
	cell_leave(&s->cell, &s->span, now);
	ns = now - start;
	r = row_here(s->row);
	failed = (u32)ctx[1] | (s->flags & SLOT_FAILED);
	access_over(s->cell, r, s->bytes, failed, s->held_ns + ns, s->queued_ns, nested);
	if (recording)
		record_request(s, (void *)ctx[0], now - ns, now, flags_of(failed, nested));
	s->flags = 0;
}

/* Handles a completion. A request in flight in the slot of @rq is @rq itself, because
 * issue_slow_path() has made sure of that, even if the disk of the queue has changed. The arguments
 * are read from @ctx when they are needed, which costs less than keeping them in registers. */
static __always_inline void request_complete(u64 *ctx, bool nested)
{
	struct request *rq = (void *)ctx[0];
	struct queue *q = queue_of(rq->mq_hctx);
	struct slot *s = q ? slot_of(q, rq) : NULL;
	u64 start = s ? *(volatile u64 *)&s->start_ns : 0;

	if (s && LIKELY(start))
		complete_issued(ctx, s, start, nested);
	else if (!(some_disks && q && q->ignored))
		complete_unissued(rq, ctx[1], ctx[2], nested);
}

static struct running completing[MAX_CPUS] = {};

/* arguments in @ctx: struct request *rq, int error, unsigned int bytes */
SEC("tp_btf/block_rq_complete")
int on_complete(u64 *ctx)
{
	*running_here(completing) = 1;
	request_complete(ctx, false);
	*running_here(completing) = 0;
	return 0;
}

SEC("tp_btf/block_rq_complete")
int on_complete_nested(u64 *ctx)
{
	if (*running_here(completing))
		request_complete(ctx, true);
	return 0;
}

/* Starts the queue time of a request that enters the I/O scheduler. The queue time of a requeued
 * request has already started at the requeue. */
SEC("tp_btf/block_rq_insert")
int BPF_PROG(on_insert, struct request *rq)
{
	struct queue *q;
	struct slot *s;

	if (attribution == BY_BLKCG && !charged_group(rq, rq->bio))
		return 0;
	s = slot_make(rq, rq->mq_hctx, rq->q->disk, &q);
	if (!s || s->flags & SLOT_REQUEUED)
		return 0;
	s->queued_at_ns = bpf_ktime_get_ns();
	if (recording)
		s->tgid = record_process(0);
	if (attribution == BY_TASK && !has_io_start)
		s->submitter = current_group();
	return 0;
}

/* Frees the slot of a request that the kernel merged into another one in the scheduler, because it
 * will not issue this request. */
SEC("tp_btf/block_rq_merge")
int BPF_PROG(on_merge, struct request *rq)
{
	struct queue *q;
	struct slot *s = slot_find(rq, rq->mq_hctx, rq->q->disk, &q);

	if (s && !s->start_ns) {
		s->queued_at_ns = 0;
		s->flags = 0;
	}
	return 0;
}

/* Stores the group number of the running task, which submits the request, for slot_group(). iospan
 * attaches this program only if the attribution is BY_TASK. */
SEC("tp_btf/block_io_start")
int BPF_PROG(on_io_start, struct request *rq)
{
	struct blk_mq_hw_ctx *hctx = rq->mq_hctx;
	struct gendisk *disk = rq->q->disk;
	u32 group = current_group();
	struct queue *q;
	struct slot *s = group ? slot_make(rq, hctx, disk, &q) : slot_find(rq, hctx, disk, &q);

	if (s)
		s->submitter = group;
	else if (group && disk && !queue_ignores(q, disk))
		count(&losses.no_slot);
	return 0;
}
