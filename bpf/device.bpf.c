// SPDX-License-Identifier: GPL-2.0-only
/* Measures the device layer of disks that take requests, from block_rq_issue to the final
 * block_rq_complete. The state of a request is in a slot (struct slot), found by hardware queue and
 * tag. So no lock is needed, and the next request with the same tag reveals a lost completion. A
 * scan searches a queue for lost completions.
 *
 * A group is a cgroup or process with counters of its own. A cell (struct cell) has the indices of
 * the counters and spans of one group, disk and operation. A span measures the time in which at
 * least one access of a set is in flight. */
#include "bpf/bio-file.bpf.h"
#include "bpf/nested.bpf.h"
#include "bpf/slot.bpf.h"

struct queue queues[MAX_QUEUES] = {};
struct ranges_map ranges SEC(".maps");
u32 slots_n = 0;
const volatile bool has_io_start = true;

/* Returns the group of flush @rq. This is the group of the request for which the kernel flushes.
 * The kernel may have set the bio of that request to NULL, so its biotail is used. */
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

/* Returns the group of the cgroup that the kernel charges for @rq. @bio is the first bio of @rq. If
 * iospan does not measure this cgroup, returns GROUP_NONE. */
static __always_inline u32 charged_group(struct request *rq, struct bio *bio)
{
	return LIKELY(bio) ? bio_group(bio) : flush_group(rq);
}

static __always_inline bool is_passthrough(struct request *rq)
{
	u32 op = rq->cmd_flags & OP_MASK;

	return op == K_DRV_IN || op == K_DRV_OUT;
}

/* Returns the group of @rq at its issue, or GROUP_NONE if iospan does not measure it.
 *
 * BY_TASK: the group of the task that submitted @rq. on_io_start() has stored it in @s. Kernels
 * before 6.5 lack that event. There, on_insert() has stored the group if @rq has entered the I/O
 * scheduler. If it has not, the running task has submitted @rq.
 *
 * BY_BLKCG: the group of the cgroup that the kernel charges. For a pass-through command, the kernel
 * charges no cgroup. The task that issues such a command also waits for it, so the group of the
 * running task is returned. */
static __always_inline u32 slot_group(struct slot *s, struct request *rq, struct bio *bio)
{
	if (attribution == BY_BLKCG)
		return is_passthrough(rq) ? current_group() : charged_group(rq, bio);
	if (!has_io_start && !(s && s->queued_at_ns))
		return current_group();
	return s ? s->submitter : 0;
}

/* Adds the access of @rq in slot @s to its span. If the span has exactly one other access in
 * flight, the completion of that other access may be lost. So scan_tag() first examines the other
 * access. Its request has the tag own->first. */
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

/* Starts the access of @rq in slot @s. The atomic operation on the span waits for all earlier
 * writes of this CPU. To save this wait, the span is changed first, and @s is written after
 * that. */
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
	s->flags = per_cgroup && disk_is_shared(q->disk) ? SLOT_SHARED : 0;
	if (recording && !s->queued_at_ns)
		s->tgid = record_process(0);
	slot_issue(s, rq->__data_len, now);
}

/* Handles the issue of @rq in all unusual cases. For instance, its cgroup is not known yet, or slot
 * @s still has another request. Removes any other request from @s, even if iospan does not measure
 * @rq, because request_complete() relies on this. */
static __noinline void issue_slow_path(struct request *rq, struct queue *q, struct slot *s, u64 now)
{
	struct blk_mq_hw_ctx *hctx = hctx_of(rq);
	struct gendisk *disk = disk_of(rq);
	struct bio *bio = bio_of(rq);
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

/* Returns true if the kernel charges @rq to the same blkg (pair of cgroup and disk) as an earlier
 * request that iospan measured. Then iospan measures @rq, too. q->blkg is the address of that blkg.
 * It is used only until the next scan of @q, because the kernel may reuse the address. */
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
	/* The access starts here, so the clock is read here. The access is added to its span a
	 * little later. If no other access is in flight until then, T may lack this time. So the
	 * steps in between must be short. */
	u64 now;

	if (some_disks && queue_ignores(q, disk_of(rq)))
		return 0;
	now = bpf_ktime_get_ns();
	if (s && q && LIKELY(slot_is_free(s) && charged_as_before(q, rq, now))) {
		issue_first(q, s, rq, GROUP_TOP, now);
	} else {
		scan_if_due(q, disk_of(rq), now);
		issue_slow_path(rq, q, s, now);
	}
	return 0;
}

/* Records the interval [@start, @end) of @rq, with its disk offset and file. A partial completion
 * advances rq->__sector, so s->done is subtracted from the offset. */
static __noinline void record_request(struct slot *s, struct request *rq, u64 start, u64 end,
				      u32 flags)
{
	struct file_at at = nowhere;

	if (rq->__sector != ~0ULL)
		at.offset = (rq->__sector << 9) - s->done;
	bio_file((u64)bio_of(rq), &at, end);
	record_slot(s, start, end, &at, flags);
}

/* A requeue ends an interval in flight, but not the access: the kernel will issue the request
 * again. */
SEC("tp_btf/block_rq_requeue")
int BPF_PROG(on_requeue, struct request *rq)
{
	struct queue *q;
	struct slot *s = slot_find(rq, hctx_of(rq), disk_of(rq), &q);
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

/* Returns the group of @rq at its completion. At this time, the running task has nothing to do with
 * @rq, so the group of this task is not used. */
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

/* Records a request that failed after a requeue. The intervals in which it was in flight are
 * already recorded, so the interval of this record has length 0. */
static __always_inline void record_given_up(struct slot *s, bool failed, bool nested)
{
	u64 now = bpf_ktime_get_ns();

	record_slot(s, now, now, &nowhere, flags_of(failed, nested));
}

static __always_inline u32 slot_how(struct slot *s, bool failed)
{
	return (failed ? CELL_FAILED : 0) | (s->flags & SLOT_SHARED ? CELL_SHARED : 0);
}

/* Handles the completion of @rq if its slot has nothing in flight. There are four cases:
 * - @rq was requeued and then failed;
 * - @rq has completed before, in a flush sequence; now it has 0 bytes;
 * - the block layer refused @rq before its issue, so there is no access;
 * - no BPF program saw the issue of @rq. */
static __noinline void complete_unissued(struct request *rq, int error, u32 bytes, bool nested)
{
	struct bio *bio = bio_of(rq);
	struct queue *q;
	struct slot *s = slot_find(rq, hctx_of(rq), disk_of(rq), &q);
	bool failed = error || (s && s->flags & SLOT_FAILED);
	u32 group, cell, how;
	struct cell *c;

	if (s && s->flags & SLOT_REQUEUED) {
		how = slot_how(s, failed);
		s->flags = 0;
		s->queued_at_ns = 0;
		c = bpf_map_lookup_elem(&cells, &s->cell);
		if (c)
			access_over(s->cell, row_here(c->row), s->bytes, how, s->held_ns,
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

static __always_inline void complete_part(struct slot *s, int error, u32 bytes)
{
	s->done += bytes;
	s->flags |= error && bytes ? SLOT_FAILED : 0;
}

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
	access_over(s->cell, r, s->bytes, slot_how(s, failed), s->held_ns + ns, s->queued_ns,
		    nested);
	if (recording)
		record_request(s, (void *)ctx[0], now - ns, now, flags_of(failed, nested));
	s->flags = 0;
}

/* Handles the completion of a request. If a request is in flight in its slot, it is the completed
 * request, because issue_slow_path() has removed any other request. Each argument is read from @ctx
 * only when it is needed, which costs less than keeping it in a register. */
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

static struct running completing_requests[MAX_CPUS] = {};

SEC("tp_btf/block_rq_complete")
int on_complete(u64 *ctx)
{
	*running_here(completing_requests) = 1;
	request_complete(ctx, false);
	*running_here(completing_requests) = 0;
	return 0;
}

SEC("tp_btf/block_rq_complete")
int on_complete_nested(u64 *ctx)
{
	if (*running_here(completing_requests))
		request_complete(ctx, true);
	return 0;
}

/* Notes the time at which a request enters the I/O scheduler. For a requeued request, on_requeue()
 * has already done so. */
SEC("tp_btf/block_rq_insert")
int BPF_PROG(on_insert, struct request *rq)
{
	struct queue *q;
	struct slot *s;

	if (attribution == BY_BLKCG && !charged_group(rq, bio_of(rq)))
		return 0;
	s = slot_make(rq, hctx_of(rq), disk_of(rq), &q);
	if (!s || s->flags & SLOT_REQUEUED)
		return 0;
	s->queued_at_ns = bpf_ktime_get_ns();
	if (recording)
		s->tgid = record_process(0);
	if (attribution == BY_TASK && !has_io_start)
		s->submitter = current_group();
	return 0;
}

/* Frees the slot of a request that was merged into another request, so that the kernel will not
 * issue it. */
SEC("tp_btf/block_rq_merge")
int BPF_PROG(on_merge, struct request *rq)
{
	struct queue *q;
	struct slot *s = slot_find(rq, hctx_of(rq), disk_of(rq), &q);

	if (s && !s->start_ns) {
		s->queued_at_ns = 0;
		s->flags = 0;
	}
	return 0;
}

/* Stores the group of the task that submits @rq, because @rq may be issued by another task.
 * Attached only if accesses are attributed to tasks (BY_TASK). */
SEC("tp_btf/block_io_start")
int BPF_PROG(on_io_start, struct request *rq)
{
	struct blk_mq_hw_ctx *hctx = hctx_of(rq);
	struct gendisk *disk = disk_of(rq);
	u32 group = current_group();
	struct queue *q;
	struct slot *s = group ? slot_make(rq, hctx, disk, &q) : slot_find(rq, hctx, disk, &q);

	if (s)
		s->submitter = group;
	else if (group && disk && !queue_ignores(q, disk))
		count(&losses.no_slot);
	return 0;
}
