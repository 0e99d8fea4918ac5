// SPDX-License-Identifier: GPL-2.0-or-later
/* Ends accesses with a lost completion, that is, a completion that no BPF program saw. A request in
 * flight is in a slot (struct slot). A bio, io_uring or libaio request in flight is in the pending
 * table. A cell (struct cell) has the indices of the counters and spans of one group, disk and
 * operation. A span is busy while at least one access is in flight in it. */
#include "user/kernel/repair.h"

#include <bpf/bpf.h>

#include "user/base/clock.h"
#include "user/host/dev.h"
#include "user/kernel/median.h"
#include "user/kernel/recorder.h"
#include "bpf/lost.h"
#include "bpf/transition.h"

/* an access that is younger than OLD_NS never counts as lost */
#define OLD_NS (2 * REPAIR_POLL_NS)
/* The kernel's count of requests in flight leaves out flushes and pass-through commands. On some
 * disks, it counts nothing at all. Such an uncounted access is taken as lost if it is older than
 * GIVEN_UP_NS, because no driver waits longer. */
#define GIVEN_UP_NS 60000000000ULL

static inline struct cell *map_cell(struct maps *m, const u32 *cell)
{
	return *cell < m->max_cells ? &m->cells[*cell] : NULL;
}

static inline struct group *map_group(struct maps *m, const u32 *group)
{
	return *group <= m->max_groups ? &m->groups[*group] : NULL;
}

static enum span_result change_span(struct span *s, u64 now, bool busy)
{
	return busy ? span_enter(s, now) : span_leave(s, now);
}

static inline enum span_result map_span_result(struct maps *m, u32 span, u64 now, bool busy)
{
	return span < m->max_spans ? change_span(&m->spans[span], now, busy) : SPAN_REFUSED;
}

static inline bool map_span(struct maps *m, u32 span, u64 now, bool busy)
{
	return map_span_result(m, span, now, busy) == SPAN_TRANSITION;
}

static inline bool map_app_span(struct maps *m, u32 span, u64 now, bool busy)
{
	return change_span(&m->app->spans[span], now, busy) == SPAN_TRANSITION;
}

static inline struct span *map_span_at(struct maps *m, u32 span)
{
	return span < m->max_spans ? &m->spans[span] : NULL;
}

/* Ends a device access with a lost completion. @cell is the index of its struct cell. @leaf is the
 * index of the span that the access keeps busy. @now is the time at which the loss was detected.
 * BPF programs do the same in cell_repair(). */
static void repair_device(struct maps *m, u32 cell, u32 leaf, u32 tgid, u64 bytes, u64 start,
			  u64 now)
{
	struct cell *c = &m->cells[cell], copy = maps_cell(m, cell);
	struct seen_disk *d = &m->disks[copy.disk < MAX_DISKS ? copy.disk : 0];
	u32 op = copy.op < DEVICE_OPS ? copy.op : OP_OTHER;
	u64 end = lost_end_ns(start, __atomic_load_n(&d->median_ns[op], __ATOMIC_RELAXED), now);
	u64 leaves = span_not_before(&m->spans[leaf], end);

	__atomic_fetch_add(&m->losses->completions, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&c->lost, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&c->lost_bytes, bytes, __ATOMIC_RELAXED);
	__atomic_fetch_add(&d->repaired_ns[op], end - start, __ATOMIC_RELAXED);
	if (map_span(m, leaf, leaves, false))
		transition_cell(m, cell, leaves, false);
	recorder_keep(m->recorder,
		      &(struct recorded){ .start_ns = start,
					  .end_ns = end,
					  .bytes = bytes,
					  .offset = TRACE_NO_OFFSET,
					  .group = cell,
					  .tgid = tgid,
					  .layers = 1 << LAYER_DEVICE,
					  .flags = TRACE_UNTIMED });
}

/* Returns true if an access of cell @c, which started at @start, cannot be in flight any more. An
 * access younger than @old_ns may still be in flight. An older access has ended if the kernel
 * counts no request in flight on the disk. If the kernel does not count such accesses, they are
 * taken as ended after GIVEN_UP_NS. */
static bool has_ended(const struct maps *m, const struct cell *c, u64 start, u64 now, u64 old_ns)
{
	const char *name = m->disks[c->disk < MAX_DISKS ? c->disk : 0].is.name;

	if (start + old_ns > now)
		return false;
	if (c->op == OP_FLUSH || c->op == OP_OTHER || !dev_counts_inflight(name))
		return start + GIVEN_UP_NS < now;
	return dev_inflight(name) <= 0;
}

/* Returns true if the previous repair also suspected that the access in slot @i is lost. A repair
 * must suspect it twice, because the kernel decrements its count of requests in flight shortly
 * before a BPF program sees the completion. */
static bool suspected_before(struct maps *m, u32 i, u64 start)
{
	bool before = m->suspects[i] == start;

	m->suspects[i] = start;
	return before;
}

/* Ends the accesses with a lost completion that are in slots. A BPF program may try to end the same
 * access at the same time. Only the one that sets start_ns to 0 ends it. After that, another
 * request may use the slot, so the slot is copied first. */
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
		if (has_ended(m, &c, s.start_ns, now, old_ns) &&
		    suspected_before(m, i, s.start_ns) &&
		    __atomic_compare_exchange_n(start_ns, &s.start_ns, 0, false, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED))
			repair_device(m, s.cell, s.span, s.tgid, s.bytes, s.start_ns, now);
	}
}

static bool pending_is_lost(const struct maps *m, const struct pending *p, u64 now, u64 old_ns)
{
	if (p->start_ns + old_ns > now)
		return false;
	if (p->kind == PENDING_BIO) {
		struct cell c = maps_cell(m, p->op < m->max_cells ? p->op : 0);

		return p->op < m->max_cells && p->span < m->max_spans &&
			has_ended(m, &c, p->start_ns, now, old_ns);
	}
	return p->op < VFS_OPS && maps_process_exited(m, p->tgid);
}

/* Removes the word of request @p from the hash table m->owners, as owner_remove() does in BPF. This
 * table finds all requests in flight of an owner: of a process, or of a pair of io_uring ring and
 * user_data. */
static void free_owner_word(struct maps *m, struct pending *p)
{
	u32 line = p->owner_word / OWNER_WORDS, home = owner_home(pending_owner(p));
	u64 word;

	if (!p->owner_word)
		return;
	word = __atomic_exchange_n(&m->owners[line].word[p->owner_word % OWNER_WORDS - OWNER_HEAD],
				   0, __ATOMIC_ACQ_REL);
	/* A detached request has lost its address to a newer request. The word of an io_uring
	 * request is normally its kernel address, which is negative as a signed number. The word of
	 * a detached request is positive: it is its index in the pending table. */
	if (p->kind == PENDING_RING && (s64)word > 0)
		__atomic_fetch_sub(&m->owners[home].detached, 1, __ATOMIC_RELAXED);
	if (line != home)
		__atomic_fetch_sub(&m->owners[home].strayed, 1, __ATOMIC_RELAXED);
	p->owner_word = 0;
}

/* Removes entry @i from the pending table of bios, io_uring and libaio requests. @p is a copy of
 * the entry. Returns false if a BPF program has just ended the request. */
static bool pending_remove(struct maps *m, u32 i, const struct pending *p)
{
	u64 start = p->start_ns;

	/* A BPF program may try to end the same request now. Either this function or the BPF
	 * program sets start_ns to 0, and that one ends the request. */
	if (!__atomic_compare_exchange_n(&m->pending[i].start_ns, &start, 0, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return false;
	free_owner_word(m, &m->pending[i]);
	__atomic_store_n(&m->buckets[i / PENDING_WAYS].key[i % PENDING_WAYS], 0, __ATOMIC_RELEASE);
	return true;
}

/* Removes io_uring or libaio request @p from its spans at time @end, and records it. */
static void repair_ring(struct maps *m, const struct pending *p, u64 end)
{
	if (p->kind == PENDING_NO_FILE)
		return;
	if (map_span(m, SPAN_RING_OP + p->op, end, false))
		transition_ring(m, p->op, end, false);
	access_vfs_cell(m, p->span, end, false);
	recorder_keep_pending(m->recorder, p, end);
}

/* Counts a libaio request as lost. BPF programs do the same in ring_count_lost(). */
static void count_lost_aio(struct maps *m, const struct pending *p)
{
	struct lost_ring *lost = &m->lost_rings[SRC_AIO * VFS_OPS + p->op];
	u64 bytes = p->op == VFS_SYNC ? 0 : p->bytes & ~BYTES_MORE;

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

/* Returns the element of m->dead_contexts for libaio request @p: its context was destroyed, or its
 * process has exited. Returns NULL if there is none. BPF programs have stored @n elements so far.
 * Searches only those that were stored since the last repair. */
static const struct dead_context *dead_context_of(const struct maps *m, const struct pending *p,
						  u32 n)
{
	u32 first = n - m->dead_contexts_done > DEAD_CONTEXTS ? n - DEAD_CONTEXTS :
								m->dead_contexts_done;

	for (u32 i = first; i != n; i++)
		if (pending_of_dead_context(p, &m->dead_contexts[i & (DEAD_CONTEXTS - 1)]))
			return &m->dead_contexts[i & (DEAD_CONTEXTS - 1)];
	return NULL;
}

/* Ends the lost request in entry @i of the pending table. @p is a copy of the entry. @dead is not
 * NULL if the request is a libaio request with a destroyed context or an exited process. */
static void repair_entry(struct maps *m, u32 i, const struct pending *p,
			 const struct dead_context *dead, u64 now)
{
	if (!pending_remove(m, i, p))
		return;
	if (p->kind == PENDING_BIO) {
		repair_device(m, p->op, p->span, p->tgid, p->bytes, p->start_ns, now);
	} else if (dead) {
		count_lost_aio(m, p);
		repair_ring(m, p, dead->end_ns);
	} else {
		if (p->kind == PENDING_RING && !p->owner_word)
			m->unlisted_rings++;
		else
			m->repaired_rings++;
		repair_ring(m, p, now);
	}
}

static void repair_pending(struct maps *m, u64 now, u64 old_ns)
{
	u32 n = __atomic_load_n(m->dead_contexts_n, __ATOMIC_ACQUIRE);

	for (u32 i = 0; i < PENDING_BUCKETS * PENDING_WAYS; i++) {
		const u64 *key = &m->buckets[i / PENDING_WAYS].key[i % PENDING_WAYS];
		const struct dead_context *dead;
		struct pending p;

		if (!__atomic_load_n(key, __ATOMIC_ACQUIRE))
			continue;
		maps_copy(&p, &m->pending[i], sizeof(p));
		dead = p.op < VFS_OPS ? dead_context_of(m, &p, n) : NULL;
		if (p.start_ns && (dead || pending_is_lost(m, &p, now, old_ns)))
			repair_entry(m, i, &p, dead, now);
	}
	m->dead_contexts_done = n;
}

/* same as SCAN_NS in bpf/scan.bpf.h: scan_one_queue() examines only requests that are older */
#define SCAN_NS 500000

static bool some_are_old(const struct maps *m, u64 now)
{
	for (u32 i = 0; i < maps_slots(m); i++) {
		u64 start = __atomic_load_n(&m->slots[i].start_ns, __ATOMIC_RELAXED);

		if (start && start + SCAN_NS <= now)
			return true;
	}
	return false;
}

/* maximum number of runs of scan_one_queue() per queue; each examines at least ten requests */
#define SCAN_RUNS 10000

/* Runs the BPF program scan_one_queue() until it has examined all requests of the queue. Each run
 * is kept short, so it examines only some of them. */
static void run_scan(const struct maps *m, u64 queue)
{
	u64 args[] = { queue };
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = args, .ctx_size_in = sizeof(args));

	for (int i = 0; i < SCAN_RUNS; i++)
		if (bpf_prog_test_run_opts(m->scan_program, &run) || run.retval != 1)
			return;
}

void maps_detect(struct maps *m)
{
	if (m->scan_program < 0 || !some_are_old(m, now_ns()))
		return;
	for (u32 i = 0; i < MAX_QUEUES; i++)
		if (m->queues[i].state == QUEUE_READY && !m->queues[i].ignored)
			run_scan(m, i);
}

void maps_repair(struct maps *m, u64 now)
{
	if (now - m->checked_ns < REPAIR_POLL_NS / 2)
		return;
	m->checked_ns = now;
	maps_update_medians(m);
	maps_detect(m);
	repair_slots(m, now, OLD_NS);
	repair_pending(m, now, OLD_NS);
}

bool maps_repair_last(struct maps *m)
{
	const struct timespec pause = { .tv_nsec = 5000000 };

	if (!span_count(m->spans[SPAN_DEVICE].word) && !span_count(m->spans[SPAN_VFS_WAIT].word))
		return false;
	maps_update_medians(m);
	maps_detect(m);
	repair_slots(m, now_ns(), 0);
	nanosleep(&pause, NULL);
	maps_detect(m);
	repair_slots(m, now_ns(), pause.tv_nsec);
	repair_pending(m, now_ns(), pause.tv_nsec);
	return true;
}

static void forget_rings(struct maps *m)
{
	for (u32 i = 0; i < PENDING_BUCKETS * PENDING_WAYS; i++) {
		struct pending p;

		maps_copy(&p, &m->pending[i], sizeof(p));
		if (m->buckets[i / PENDING_WAYS].key[i % PENDING_WAYS] && p.kind != PENDING_BIO)
			pending_remove(m, i, &p);
	}
}

static void end_vfs_cells(struct maps *m, u64 now)
{
	for (u32 i = 1; i < maps_cells(m); i++) {
		struct cell c = maps_cell(m, i);

		if (!c.group || c.disk != DISK_VFS || c.span >= m->max_spans)
			continue;
		for (u64 n = span_count(m->spans[c.span].word); n; n--)
			access_vfs_cell(m, i, now, false);
	}
}

/* First ends the accesses of all cells. If the span of a cell gets idle, this also removes one
 * access from each span that includes it (bpf/transition.h). Then the loops remove the accesses
 * that have no cell from the spans of the whole layer. */
void maps_end_vfs(struct maps *m, u64 now)
{
	forget_rings(m);
	end_vfs_cells(m, now);
	for (u32 op = 0; op < VFS_OPS; op++) {
		for (u64 n = span_count(m->spans[SPAN_RING_OP + op].word); n; n--)
			if (map_span(m, SPAN_RING_OP + op, now, false))
				transition_ring(m, op, now, false);
		for (u64 n = span_count(m->spans[SPAN_VFS_OP + op].word); n; n--)
			access_vfs(m, op, now, false);
	}
}
