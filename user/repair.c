// SPDX-License-Identifier: GPL-2.0-or-later
/* Completions that no program of ours was run for. An access that is never
 * ended would keep its spans busy for ever, so here it is ended: when the
 * kernel's own count says that nothing is in flight on its disk, or when the
 * program that submitted it is gone. */
#include "maps.h"

#include <errno.h>
#include <signal.h>

#include "dev.h"

/* Younger than this an access is just slow. */
#define OLD_NS (2 * TRACER_POLL_NS)

static void leave_cell(struct maps *m, const struct cell *c, u64 now)
{
	if (span_leave(&m->spans[c->span], now) != SPAN_TURNS)
		return;
	for (u32 i = 0; i < c->parents_n && i < CELL_PARENTS; i++)
		span_leave(&m->spans[c->parents[i]], now);
	if (c->total)
		span_leave(&m->app->spans[APP_SPAN_JOINT], now);
}

/* Its end is not known: @end is a guess. A span that has nothing else in flight
 * was kept busy for no reason since then, or since the last end that it saw, and
 * goes back to there (span_leave). */
static void lose(struct maps *m, struct cell *c, u64 bytes, u64 end)
{
	__atomic_fetch_add(&m->losses->completions, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&c->lost, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&c->lost_bytes, bytes, __ATOMIC_RELAXED);
	leave_cell(m, c, end);
}

static u32 slots_used(const struct maps *m)
{
	return *m->slots_n < m->max_slots ? *m->slots_n : m->max_slots;
}

/* Idle by the kernel's count, asked now. */
static bool disk_is_idle(const struct maps *m, u32 disk)
{
	long n = disk < MAX_DISKS ? dev_inflight(m->disks[disk].name) : 0;

	return n <= 0;
}

static void repair_slots(struct maps *m, u64 now)
{
	for (u32 i = 0; i < slots_used(m); i++) {
		struct slot *s = &m->slots[i];
		u64 start = __atomic_load_n(&s->start_ns, __ATOMIC_ACQUIRE);
		struct cell *c = s->cell < m->max_cells ? &m->cells[s->cell] : NULL;

		if (!start || start + OLD_NS > now || !c || !disk_is_idle(m, c->disk))
			continue;
		if (__atomic_compare_exchange_n(&s->start_ns, &start, 0, false,
						__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			lose(m, c, s->bytes, start + s->usual_ns);
	}
}

static bool program_is_gone(const struct maps *m, u32 tgid)
{
	return m->init_pidns && kill(tgid, 0) && errno == ESRCH;
}

static void leave_ring(struct maps *m, u32 op, u64 now)
{
	struct span *app = m->app->spans;

	if (span_leave(&m->spans[SPAN_VFS_OP + op], now) == SPAN_TURNS && op != VFS_SYNC) {
		span_leave(&m->spans[SPAN_VFS], now);
		span_leave(&m->spans[SPAN_VFS_DEVICE], now);
	}
	if (span_leave(&app[APP_SPAN_READ + op], now) == SPAN_TURNS && op != VFS_SYNC) {
		span_leave(&app[APP_SPAN_ALL], now);
		span_leave(&app[APP_SPAN_JOINT], now);
	}
}

static void repair_pending(struct maps *m, u64 now)
{
	for (u32 i = 0; i < PENDING_BUCKETS * PENDING_WAYS; i++) {
		u64 *word = &m->buckets[i / PENDING_WAYS].key[i % PENDING_WAYS];
		u64 key = __atomic_load_n(word, __ATOMIC_ACQUIRE), start;
		struct pending p;
		bool bio;

		if (!key)
			continue;
		p = m->pending[i];
		start = p.start_ns;
		bio = p.kind == PENDING_BIO;
		if (!start || start + OLD_NS > now)
			continue;
		if (bio && (p.op >= m->max_cells || !disk_is_idle(m, m->cells[p.op].disk)))
			continue;
		if (!bio && (p.op >= VFS_OPS || !program_is_gone(m, p.tgid)))
			continue;
		if (!__atomic_compare_exchange_n(word, &key, 0, false, __ATOMIC_ACQ_REL,
						 __ATOMIC_RELAXED))
			continue;
		if (bio) {
			lose(m, &m->cells[p.op], p.bytes, start);
		} else {
			m->repaired_rings++;
			leave_ring(m, p.op, now);
		}
	}
}

void maps_repair(struct maps *m, u64 now)
{
	if (now - m->checked_ns < TRACER_POLL_NS / 2)
		return;
	m->checked_ns = now;
	repair_slots(m, now);
	repair_pending(m, now);
}
