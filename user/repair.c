// SPDX-License-Identifier: GPL-2.0-or-later
/* Completions that no program of ours was run for. An access that is never
 * ended would keep its spans busy for ever, so here it is ended: when the
 * kernel's own count says that nothing is in flight on its disk, or when the
 * program that submitted it is gone. */
#include "maps.h"

#include <errno.h>
#include <signal.h>

#include "clock.h"
#include "dev.h"
#include "recorder.h"

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

static void leave_cell(struct maps *m, u32 cell, u32 leaf, u64 now)
{
	const struct cell *c = &m->cells[cell];

	if (span_leave(&m->spans[leaf], now) != SPAN_TURNS)
		return;
	for (u32 i = 0; i < CELL_PARENTS && c->parents[i]; i++)
		span_leave(&m->spans[c->parents[i]], now);
	leave_parts(m, cell, now);
	if (!c->total)
		return;
	span_leave(&m->app->spans[APP_SPAN_JOINT], now);
	if (m->per_cgroup)
		leave_groups(m, SPAN_GROUP(0), c->group, now);
}

/* As vfs_cell_turn() there. */
static void leave_vfs_cell(struct maps *m, u32 cell, u64 now)
{
	const struct cell *c = &m->cells[cell];

	if (span_leave(&m->spans[c->span], now) != SPAN_TURNS)
		return;
	leave_parts(m, cell, now);
	if (c->total)
		leave_groups(m, SPAN_GROUP(GROUPS_OF(m->max_groups)), c->group, now);
}

/* Its end is not known: @end is a guess. A span that has nothing else in flight
 * was kept busy for no reason since then, or since the last end that it saw, and
 * goes back to there (span_leave). */
static void lose(struct maps *m, u32 cell, u32 leaf, u32 tgid, u64 bytes, u64 start, u64 end)
{
	struct cell *c = &m->cells[cell];
	u64 last = m->spans[leaf].last_ns;

	__atomic_fetch_add(&m->losses->completions, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&c->lost, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&c->lost_bytes, bytes, __ATOMIC_RELAXED);
	/* the spans above see only the turns of this one, and take its word */
	end = end > last ? end : last;
	leave_cell(m, cell, leaf, end);
	recorder_keep(m->recorder, &(struct recorded){
		.start_ns = start, .end_ns = end, .bytes = bytes, .offset = TRACE_NO_OFFSET,
		.dev = cell, .tgid = tgid, .layers = 1 << LAYER_DEVICE, .flags = TRACE_UNTIMED });
}

/* Has this access ended unseen? The kernel's own count, asked now, says so; but
 * it has no flush and no pass-through command in it, and not every disk has one.
 * Then only age tells: no driver waits so long. */
static bool ended_unseen(const struct maps *m, const struct cell *c, u64 start, u64 now,
			 u64 old_ns)
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

static void repair_slots(struct maps *m, u64 now, u64 old_ns)
{
	for (u32 i = 0; i < maps_slots(m); i++) {
		struct slot *s = &m->slots[i];
		u64 start = __atomic_load_n(&s->start_ns, __ATOMIC_ACQUIRE);
		struct cell *c = s->cell < m->max_cells ? &m->cells[s->cell] : NULL;

		if (!start || !c || !ended_unseen(m, c, start, now, old_ns) ||
		    !suspected_before(m, i, start))
			continue;
		if (__atomic_compare_exchange_n(&s->start_ns, &start, 0, false,
						__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			lose(m, s->cell, s->span, s->tgid, s->bytes, start, start + s->usual_ns);
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

static bool pending_is_lost(const struct maps *m, const struct pending *p, u64 now,
			    u64 old_ns)
{
	if (p->start_ns + old_ns > now)
		return false;
	if (p->kind == PENDING_BIO)
		return p->op < m->max_cells &&
		       ended_unseen(m, &m->cells[p->op], p->start_ns, now, old_ns);
	return p->op < VFS_OPS && maps_process_is_gone(m, p->tgid);
}

static void repair_pending(struct maps *m, u64 now, u64 old_ns)
{
	for (u32 i = 0; i < PENDING_BUCKETS * PENDING_WAYS; i++) {
		u64 *key = &m->buckets[i / PENDING_WAYS].key[i % PENDING_WAYS];
		struct pending p;

		if (!__atomic_load_n(key, __ATOMIC_ACQUIRE))
			continue;
		p = m->pending[i];
		if (!p.start_ns || !pending_is_lost(m, &p, now, old_ns))
			continue;
		/* whoever sets start_ns to 0 has the entry */
		if (!__atomic_compare_exchange_n(&m->pending[i].start_ns, &p.start_ns, 0,
						 false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		__atomic_store_n(key, 0, __ATOMIC_RELEASE);
		if (p.kind == PENDING_BIO) {
			lose(m, p.op, p.span, p.tgid, p.bytes, p.start_ns, p.start_ns);
		} else {
			m->repaired_rings++;
			leave_ring(m, p.op, now);
			if (p.span && p.span < m->max_cells)
				leave_vfs_cell(m, p.span, now);
			recorder_keep_pending(m->recorder, &p, now);
		}
	}
}

void maps_repair(struct maps *m, u64 now)
{
	if (now - m->checked_ns < TRACER_POLL_NS / 2)
		return;
	m->checked_ns = now;
	repair_slots(m, now, OLD_NS);
	repair_pending(m, now, OLD_NS);
}

bool maps_repair_last(struct maps *m)
{
	const struct timespec moment = { .tv_nsec = 5000000 };

	if (!span_count(m->spans[SPAN_DEVICE].word) &&
	    !span_count(m->spans[SPAN_VFS].word) &&
	    !span_count(m->spans[SPAN_VFS_OP + VFS_SYNC].word))
		return false;
	repair_slots(m, now_ns(), 0);
	nanosleep(&moment, NULL);
	repair_slots(m, now_ns(), moment.tv_nsec);
	repair_pending(m, now_ns(), moment.tv_nsec);
	return true;
}
