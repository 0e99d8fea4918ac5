// SPDX-License-Identifier: GPL-2.0-or-later
/* Completions that no program of ours was run for. An access that is never
 * ended would keep its spans busy for ever, so here it is ended: when the
 * kernel's own count says that nothing is in flight on its disk, or when the
 * program that submitted it is gone. */
#include "user/kernel/repair.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <signal.h>

#include "user/base/clock.h"
#include "user/host/dev.h"
#include "user/kernel/recorder.h"
#include "user/kernel/usual.h"
#include "bpf/lost.h"

/* Younger than this an access is just slow. */
#define OLD_NS (2 * TRACER_POLL_NS)
/* Older than this it is lost, whatever it is: twice the block layer's time limit. */
#define GIVEN_UP_NS 60000000000ULL

/* As turn_groups() in bpf/groups.bpf.c. */
static void leave_groups(struct maps *m, u32 spans, u32 group, u64 now)
{
	if (group & GROUP_OTHER)
		span_leave(&m->spans[spans + GROUP_NONE], now);
	group &= ~GROUP_OTHER;
	while (group > GROUP_TOP && group <= m->max_groups &&
	       span_leave(&m->spans[spans + group], now) == SPAN_TURNS)
		group = m->groups[group].parent;
}

/* As turn_parts() in bpf/cells.bpf.c. */
static void leave_parts(struct maps *m, u32 cell, u64 now)
{
	while (m->per_part && cell && cell < m->max_cells &&
	       span_leave(&m->spans[m->cells[cell].span + m->leaves], now) == SPAN_TURNS)
		cell = m->cells[cell].up;
}

static void leave_parents(struct maps *m, const struct cell *c, u64 now)
{
	for (u32 i = 0; i < CELL_PARENTS && c->parents[i]; i++)
		span_leave(&m->spans[c->parents[i]], now);
}

static void leave_cell(struct maps *m, u32 cell, u32 leaf, u64 now)
{
	struct cell c = maps_cell(m, cell);

	if (span_leave(&m->spans[leaf], now) != SPAN_TURNS)
		return;
	leave_parents(m, &c, now);
	leave_parts(m, cell, now);
	if (!c.total)
		return;
	span_leave(&m->app->spans[APP_SPAN_JOINT], now);
	if (m->per_cgroup)
		leave_groups(m, SPAN_GROUP(0), c.group, now);
}

/* As turn_vfs_parts() there. */
static void leave_vfs_parts(struct maps *m, u32 cell, u64 now)
{
	while (cell && cell < m->max_cells &&
	       span_leave(&m->spans[m->cells[cell].span], now) == SPAN_TURNS) {
		leave_parents(m, &m->cells[cell], now);
		cell = m->cells[cell].up;
	}
}

/* As vfs_cell_turn() there. */
static void leave_vfs_cell(struct maps *m, u32 cell, u64 now)
{
	const struct cell *c = &m->cells[cell];

	if (m->per_part)
		return leave_vfs_parts(m, cell, now);
	if (span_leave(&m->spans[c->span], now) != SPAN_TURNS)
		return;
	if (c->total)
		leave_groups(m, SPAN_GROUP(GROUPS_OF(m->max_groups)), c->group, now);
}

/* Ends an access that lost its completion, as cell_end_lost() in bpf/cells.bpf.h does. If its
 * span has nothing else in flight, the span goes back to that end (span_leave). */
static void lose(struct maps *m, u32 cell, u32 leaf, u32 tgid, u64 bytes, u64 start, u64 now)
{
	struct cell *c = &m->cells[cell], copy = maps_cell(m, cell);
	struct seen_disk *d = &m->disks[copy.disk < MAX_DISKS ? copy.disk : 0];
	u32 op = copy.op < DEVICE_OPS ? copy.op : OP_OTHER;
	u64 end = lost_end_ns(start, __atomic_load_n(&d->usual_ns[op], __ATOMIC_RELAXED), now);

	__atomic_fetch_add(&m->losses->completions, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&c->lost, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&c->lost_bytes, bytes, __ATOMIC_RELAXED);
	__atomic_fetch_add(&d->repaired_ns[op], end - start, __ATOMIC_RELAXED);
	leave_cell(m, cell, leaf, span_not_before(&m->spans[leaf], end));
	recorder_keep(m->recorder,
		      &(struct recorded){ .start_ns = start,
					  .end_ns = end,
					  .bytes = bytes,
					  .offset = TRACE_NO_OFFSET,
					  .dev = cell,
					  .tgid = tgid,
					  .layers = 1 << LAYER_DEVICE,
					  .flags = TRACE_UNTIMED });
}

/* Has this access ended unseen? The kernel's own count, asked now, says so; but
 * it has no flush and no pass-through command in it, and not every disk has one.
 * Then only age tells: no driver waits so long. */
static bool ended_unseen(const struct maps *m, const struct cell *c, u64 start, u64 now, u64 old_ns)
{
	const char *name = m->disks[c->disk < MAX_DISKS ? c->disk : 0].is.name;

	if (start + old_ns > now)
		return false;
	if (c->op == OP_FLUSH || c->op == OP_OTHER || !dev_counts_inflight(name))
		return start + GIVEN_UP_NS < now;
	return dev_inflight(name) <= 0;
}

/* A completion may be on its way to us while the kernel's count is down already;
 * so an access is lost only when it is still there the next time. */
static bool suspected_before(struct maps *m, u32 i, u64 start)
{
	bool before = m->suspects[i] == start;

	m->suspects[i] = start;
	return before;
}

/* Whoever sets start_ns to 0 has the slot, and then another request may come into it at once: it is
 * copied before. */
static void repair_slots(struct maps *m, u64 now, u64 old_ns)
{
	for (u32 i = 0; i < maps_slots(m); i++) {
		u64 *start_ns = &m->slots[i].start_ns;
		struct cell c;
		struct slot s;

		maps_copy(&s, &m->slots[i], sizeof(s));
		if (!s.start_ns || s.cell >= m->max_cells || s.span >= m->max_spans)
			continue;
		c = maps_cell(m, s.cell);
		if (ended_unseen(m, &c, s.start_ns, now, old_ns) &&
		    suspected_before(m, i, s.start_ns) &&
		    __atomic_compare_exchange_n(start_ns, &s.start_ns, 0, false, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED))
			lose(m, s.cell, s.span, s.tgid, s.bytes, s.start_ns, now);
	}
}

bool maps_process_is_gone(const struct maps *m, u32 tgid)
{
	return m->init_pidns && kill(tgid, 0) && errno == ESRCH;
}

/* As ring_leave() in bpf/vfs.bpf.h. */
static void leave_ring(struct maps *m, u32 op, u64 now)
{
	struct span *app = m->app->spans;

	if (span_leave(&m->spans[SPAN_RING_OP + op], now) != SPAN_TURNS)
		return;
	if (span_leave(&m->spans[SPAN_VFS_OP + op], now) == SPAN_TURNS && op != VFS_SYNC) {
		span_leave(&m->spans[SPAN_VFS], now);
		span_leave(&m->spans[SPAN_VFS_DEVICE], now);
	}
	if (span_leave(&app[APP_SPAN_READ + op], now) == SPAN_TURNS && op != VFS_SYNC) {
		span_leave(&app[APP_SPAN_ALL], now);
		span_leave(&app[APP_SPAN_JOINT], now);
	}
}

static bool pending_is_lost(const struct maps *m, const struct pending *p, u64 now, u64 old_ns)
{
	if (p->start_ns + old_ns > now)
		return false;
	if (p->kind == PENDING_BIO) {
		struct cell c = maps_cell(m, p->op < m->max_cells ? p->op : 0);

		return p->op < m->max_cells && p->span < m->max_spans &&
			ended_unseen(m, &c, p->start_ns, now, old_ns);
	}
	return p->op < VFS_OPS && maps_process_is_gone(m, p->tgid);
}

/* As owner_remove() in bpf/owner.bpf.c. */
static void free_word(struct maps *m, struct pending *p)
{
	u32 line = p->place / OWNER_WORDS, home = owner_home(pending_owner(p));

	u64 word;

	if (!p->place)
		return;
	word = __atomic_exchange_n(&m->owners[line].word[p->place % OWNER_WORDS - OWNER_HEAD], 0,
				   __ATOMIC_ACQ_REL);
	if (p->kind == PENDING_RING && (s64)word > 0) /* no address: ring_detach() */
		__atomic_fetch_sub(&m->owners[home].detached, 1, __ATOMIC_RELAXED);
	if (line != home)
		__atomic_fetch_sub(&m->owners[home].strayed, 1, __ATOMIC_RELAXED);
	p->place = 0;
}

/* Takes entry @i, as of *@p, out of the table. False: it has just ended. */
static bool take_pending(struct maps *m, u32 i, const struct pending *p)
{
	u64 start = p->start_ns;

	/* whoever sets start_ns to 0 has the entry */
	if (!__atomic_compare_exchange_n(&m->pending[i].start_ns, &start, 0, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return false;
	free_word(m, &m->pending[i]);
	__atomic_store_n(&m->buckets[i / PENDING_WAYS].key[i % PENDING_WAYS], 0, __ATOMIC_RELEASE);
	return true;
}

/* A request of the app and vfs layers has ended at @end; nobody saw how. */
static void end_ring(struct maps *m, const struct pending *p, u64 end)
{
	if (p->kind == PENDING_LATE)
		return;
	leave_ring(m, p->op, end);
	if (p->span && p->span < m->max_cells)
		leave_vfs_cell(m, p->span, end);
	recorder_keep_pending(m->recorder, p, end);
}

/* As ring_lose() in bpf/vfs.bpf.h. */
static void lose_orphan(struct maps *m, const struct pending *p)
{
	struct lost_ring *lost = &m->lost_rings[SRC_AIO * VFS_OPS + p->op];
	u64 bytes = p->op == VFS_SYNC ? 0 : p->bytes & ~BYTES_MORE;

	if (bytes > MAX_RW_COUNT)
		bytes = MAX_RW_COUNT;
	if (p->bytes & BYTES_MORE)
		__atomic_fetch_add(&m->losses->vectors, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&m->losses->aio, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&lost->accesses, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&lost->bytes, bytes, __ATOMIC_RELAXED);
	if (!p->span || p->span >= m->max_cells)
		return;
	__atomic_fetch_add(&m->cells[p->span].lost, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&m->cells[p->span].lost_bytes, bytes, __ATOMIC_RELAXED);
}

/* Which of the orphans that are new since the last time @p is one of; NULL: none. */
static const struct orphans *orphans_of(const struct maps *m, const struct pending *p, u32 n)
{
	u32 first = n - m->orphans_done > ORPHANS ? n - ORPHANS : m->orphans_done;

	for (u32 i = first; i != n; i++)
		if (pending_is_orphan(p, &m->orphans[i & (ORPHANS - 1)]))
			return &m->orphans[i & (ORPHANS - 1)];
	return NULL;
}

/* Ends entry @i, of which @p is a copy. */
static void repair_one(struct maps *m, u32 i, const struct pending *p, const struct orphans *o,
		       u64 now)
{
	if (!take_pending(m, i, p))
		return;
	if (p->kind == PENDING_BIO) {
		lose(m, p->op, p->span, p->tgid, p->bytes, p->start_ns, now);
	} else if (o) {
		lose_orphan(m, p);
		end_ring(m, p, o->end_ns);
	} else {
		m->repaired_rings++;
		end_ring(m, p, now);
	}
}

static void repair_pending(struct maps *m, u64 now, u64 old_ns)
{
	u32 n = __atomic_load_n(m->orphans_n, __ATOMIC_ACQUIRE);

	for (u32 i = 0; i < PENDING_BUCKETS * PENDING_WAYS; i++) {
		const u64 *key = &m->buckets[i / PENDING_WAYS].key[i % PENDING_WAYS];
		const struct orphans *o;
		struct pending p;

		if (!__atomic_load_n(key, __ATOMIC_ACQUIRE))
			continue;
		maps_copy(&p, &m->pending[i], sizeof(p));
		o = p.op < VFS_OPS ? orphans_of(m, &p, n) : NULL;
		if (p.start_ns && (o || pending_is_lost(m, &p, now, old_ns)))
			repair_one(m, i, &p, o, now);
	}
	m->orphans_done = n;
}

/* Younger than this a request is not looked at: SCAN_NS in bpf/scan.bpf.h. */
#define LOOK_AT_NS 500000

static bool some_are_old(const struct maps *m, u64 now)
{
	for (u32 i = 0; i < maps_slots(m); i++) {
		u64 start = __atomic_load_n(&m->slots[i].start_ns, __ATOMIC_RELAXED);

		if (start && start + LOOK_AT_NS <= now)
			return true;
	}
	return false;
}

/* The most parts of one queue: one of its slots costs up to a tenth of what one run may. */
#define PARTS_MOST 10000

/* The kernel program looks at a part of the queue each time, so that no run takes long. */
static void detect_in(const struct maps *m, u64 queue)
{
	u64 args[] = { queue };
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = args, .ctx_size_in = sizeof(args));

	for (int i = 0; i < PARTS_MOST; i++)
		if (bpf_prog_test_run_opts(m->scan_program, &run) || run.retval != 1)
			return;
}

void maps_detect(struct maps *m)
{
	if (m->scan_program < 0 || !some_are_old(m, now_ns()))
		return;
	for (u32 i = 0; i < MAX_QUEUES; i++)
		if (m->queues[i].state == QUEUE_READY && !m->queues[i].ignored)
			detect_in(m, i);
}

void maps_repair(struct maps *m, u64 now)
{
	if (now - m->checked_ns < TRACER_POLL_NS / 2)
		return;
	m->checked_ns = now;
	maps_usual(m);
	maps_detect(m);
	repair_slots(m, now, OLD_NS);
	repair_pending(m, now, OLD_NS);
}

bool maps_repair_last(struct maps *m)
{
	const struct timespec moment = { .tv_nsec = 5000000 };

	if (!span_count(m->spans[SPAN_DEVICE].word) && !span_count(m->spans[SPAN_VFS].word) &&
	    !span_count(m->spans[SPAN_VFS_OP + VFS_SYNC].word))
		return false;
	maps_usual(m);
	maps_detect(m);
	repair_slots(m, now_ns(), 0);
	nanosleep(&moment, NULL);
	maps_detect(m);
	repair_slots(m, now_ns(), moment.tv_nsec);
	repair_pending(m, now_ns(), moment.tv_nsec);
	return true;
}
