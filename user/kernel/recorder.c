// SPDX-License-Identifier: GPL-2.0-or-later
/* Moves recorded accesses to a trace. BPF programs write them to ring buffers. The preloaded
 * library writes them to lanes, which are ring buffers in memory that measured programs share with
 * iospan. A further ring buffer has the names of processes and files. */
#include "user/kernel/recorder.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/kernel/recorder-streams.h"
#include "user/trace/write.h"

/* Maximum time to wait for a name that a BPF program is still writing. The ring buffer is read in
 * order, so this name also holds up the names after it. */
#define NAMES_PATIENCE_NS 10000000ULL

/* How far iospan has read a lane (struct record_lane). .tail is the position up to which it has
 * read. The lane also has a tail, but any measured program can overwrite that. .since_ns is the
 * time at which iospan first found the entry at .tail incomplete; 0: not yet. */
struct lane_watch {
	u64 tail, since_ns;
};

struct recorder {
	struct maps *m;
	struct trace_writer *w;
	struct ring_buffer *rings, *name_ring;
	struct recorder_names names;
	struct recorder_streams *streams;
	/* .names_read: number of names read. .waiting_for: number of the name for which the
	 * recorder waits. .waiting_ns: start of this wait. */
	u64 names_read, waiting_for, waiting_ns;
	u64 begin_ns, flushed_ns;
	u32 pidns; /* inode number of this process's pid namespace */
	bool ending;
	struct lane_watch *lanes;
	int error;
};

/* Returns true while the recorder should wait for the next name. It waits at most NAMES_PATIENCE_NS
 * per name, because a hypervisor may have stopped the CPU that writes the name. */
static bool is_patient(struct recorder *r)
{
	u64 now = now_ns(), next = r->names_read + r->m->losses->name_records + 1;

	if (r->waiting_for != next) {
		r->waiting_for = next;
		r->waiting_ns = now;
	}
	return now - r->waiting_ns < NAMES_PATIENCE_NS;
}

/* Waits until iospan has read all names that BPF programs have started to write. Called before
 * an access is read, so that its names are known: a BPF program increments names_begun before it
 * writes the access. */
static void wait_for_names(struct recorder *r)
{
	u64 begun = __atomic_load_n(r->m->names_begun, __ATOMIC_ACQUIRE);

	ring_buffer__consume(r->name_ring);
	while (r->names_read + r->m->losses->name_records < begun && is_patient(r)) {
		sched_yield();
		ring_buffer__consume(r->name_ring);
	}
}

/* Adds access @a to the trace. @queued_ns is its time in the I/O scheduler. */
static void keep(struct recorder *r, const struct recorded *a, u64 queued_ns)
{
	struct trace_access to = {
		.start_ns = a->start_ns,
		.end_ns = a->end_ns,
		.bytes = a->bytes,
		.offset = a->offset,
		.held_ns = a->held_ns,
		.queued_ns = queued_ns,
		.flags = a->flags,
	};

	if (!r || r->error)
		return;
	wait_for_names(r);
	for (u32 layer = 0; layer < LAYERS && !r->error; layer++) {
		if (!(a->layers & 1 << layer))
			continue;
		to.stream = recorder_stream(r->streams, a, layer);
		if (to.stream == STREAM_UNWANTED)
			continue;
		r->error = trace_add(r->w, &to);
	}
}

void recorder_keep(struct recorder *r, const struct recorded *a)
{
	keep(r, a, 0);
}

static int handle_access(void *arg, void *data, size_t size)
{
	const struct recorded_device *of_device = data;

	keep(arg, data, size < sizeof(*of_device) ? 0 : of_device->queued_ns);
	return 0;
}

static int handle_name(void *arg, void *data, size_t size)
{
	struct recorder *r = arg;

	r->names_read++;
	recorder_names_add(&r->names, data);
	return 0;
}

/* Time after which an incomplete entry of a lane is skipped, because the thread that writes it may
 * be stopped. If the process has exited, the entry is skipped at once. */
#define LANE_PATIENCE_NS 1000000000ULL

static bool skips_entry(const struct recorder *r, struct lane_watch *watch, u32 tgid)
{
	u64 now = now_ns();

	if (!watch->since_ns)
		watch->since_ns = now;
	return r->ending || now - watch->since_ns > LANE_PATIENCE_NS ||
		(tgid && maps_process_exited(r->m, tgid));
}

/* Returns true if the values of @a are possible. A measured program may have overwritten them,
 * because it can write to all lanes. */
static bool is_plausible(const struct recorder *r, const struct recorded *a)
{
	return r->begin_ns <= a->start_ns && a->start_ns <= a->end_ns && a->end_ns <= now_ns() &&
		a->source == SRC_SYSCALL && !(a->flags & ~(TRACE_FAILED | TRACE_PART)) &&
		a->group <= INT_MAX && (a->op == OP_READ || a->op == OP_WRITE || a->op == OP_SYNC);
}

/* Adds access @a, which the preloaded library recorded, to the trace. If the process of @a is in
 * another pid namespace, removes the tgid and the descriptor from @a: in iospan's namespace, the
 * same tgid may be another process. */
static void read_entry(struct recorder *r, struct recorded a)
{
	u32 pidns = a.held_ns;

	a.held_ns = 0;
	a.layers = 1 << LAYER_APP;
	if (pidns && pidns != r->pidns)
		a.tgid = a.group = 0;
	if (is_plausible(r, &a))
		recorder_keep(r, &a);
	else
		r->m->refused++;
}

static void read_lane(struct recorder *r, struct record_lane *l, struct lane_watch *watch)
{
	u64 head = __atomic_load_n(&l->head, __ATOMIC_ACQUIRE);

	/* limited, because a measured program may have overwritten the head */
	if (head - watch->tail > LANE_ENTRIES)
		head = watch->tail + LANE_ENTRIES;
	for (; watch->tail != head; watch->tail++) {
		struct recorded *a = &l->entries[watch->tail & (LANE_ENTRIES - 1)], copy;
		u64 mark = __atomic_load_n(&a->held_ns, __ATOMIC_ACQUIRE);
		bool filled = mark >> 32 == (u32)(watch->tail + 1);

		maps_copy(&copy, a, sizeof(copy));
		if (!filled && !skips_entry(r, watch, copy.tgid))
			break;
		__atomic_store_n(&a->tgid, 0, __ATOMIC_RELAXED);
		watch->since_ns = 0;
		if (filled)
			read_entry(r, copy);
		else
			r->m->refused++;
	}
	__atomic_store_n(&l->tail, watch->tail, __ATOMIC_RELEASE);
}

void recorder_poll(struct recorder *r)
{
	u64 now = now_ns();
	int ret;

	ret = ring_buffer__consume(r->rings);
	if (ret < 0 && !r->error)
		r->error = error(ret, "cannot read the rings: %s", strerror(-ret));
	for (u32 i = 0; i < r->m->lanes_n; i++)
		read_lane(r, &r->m->lanes[i], &r->lanes[i]);
	r->names.settled_ns = now - 2 * LANE_PATIENCE_NS;
	if (now - r->flushed_ns > RECORDER_FLUSH_NS && !r->error) {
		r->flushed_ns = now;
		r->error = trace_flush(r->w);
	}
}

/* Adds access @a, which is still in flight, to the trace. Adds only its interval from @start to
 * @now. */
static void keep_interval(struct recorder *r, struct recorded a, u64 start, u64 now)
{
	a.start_ns = start;
	a.end_ns = now;
	a.flags = TRACE_PART;
	if (start && start < now)
		recorder_keep(r, &a);
}

void recorder_keep_pending(struct recorder *r, const struct pending *p, u64 now)
{
	struct recorded a = { .offset = p->at.offset,
			      .inode = p->at.inode,
			      .dev = p->at.dev,
			      .tgid = p->tgid };

	if (!r || p->kind == PENDING_NO_FILE)
		return;
	if (p->kind == PENDING_BIO) {
		a.group = p->op;
		a.layers = 1 << LAYER_DEVICE;
	} else {
		a.group = p->span && p->span < r->m->max_cells ? r->m->cells[p->span].group :
								 GROUP_TOP;
		a.layers = 1 << LAYER_APP | 1 << LAYER_VFS;
		a.op = op_of_call(p->op);
		a.source = p->kind == PENDING_AIO ? SRC_AIO : SRC_RING;
	}
	keep_interval(r, a, p->start_ns, now);
}

static void keep_slot(struct recorder *r, const struct slot *shared, u64 now)
{
	struct slot s;

	maps_copy(&s, shared, sizeof(s));
	keep_interval(r,
		      (struct recorded){ .offset = TRACE_NO_OFFSET,
					 .group = s.cell,
					 .tgid = s.tgid,
					 .layers = 1 << LAYER_DEVICE },
		      s.start_ns, now);
}

static void keep_thread(struct recorder *r, const struct app_thread *shared, u64 now)
{
	struct app_thread t;

	maps_copy(&t, shared, sizeof(t));
	if (t.tid && t.stage == APP_INSIDE && t.op <= APP_SPAN_SYNC && t.start_ns >= r->begin_ns)
		keep_interval(r,
			      (struct recorded){ .offset = TRACE_NO_OFFSET,
						 .layers = 1 << LAYER_APP,
						 .op = op_of_call(t.op) },
			      t.start_ns, now);
}

static void keep_in_flight(struct recorder *r, u64 now)
{
	const struct maps *m = r->m;
	struct pending p;

	for (u32 i = 0, n = maps_slots(m); i < n; i++)
		keep_slot(r, &m->slots[i], now);
	for (u32 i = 0; i < PENDING_BUCKETS * PENDING_WAYS; i++) {
		maps_copy(&p, &m->pending[i], sizeof(p));
		if (m->buckets[i / PENDING_WAYS].key[i % PENDING_WAYS])
			recorder_keep_pending(r, &p, now);
	}
	for (u32 i = 0; i < APP_THREADS; i++)
		keep_thread(r, &m->app->threads[i], now);
}

void recorder_end(struct recorder *r, u64 now)
{
	r->ending = true;
	recorder_poll(r);
	keep_in_flight(r, now);
}

int recorder_new(struct recorder **to, struct maps *m, struct trace_writer *w,
		 const struct trace_filter *filter)
{
	struct recorder *r = need(calloc(1, sizeof(*r)));
	struct stat st;

	r->m = m;
	r->w = w;
	recorder_names_init(&r->names, m, w);
	r->streams = recorder_streams_new(&r->names, filter);
	r->lanes = need(calloc(m->lanes_n + 1, sizeof(*r->lanes)));
	r->begin_ns = r->flushed_ns = now_ns();
	r->pidns = stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
	r->rings = ring_buffer__new(m->record_rings[0], handle_access, r, NULL);
	r->name_ring = ring_buffer__new(m->names_ring, handle_name, r, NULL);
	for (u32 i = 1; i < m->record_rings_n && r->rings && !r->error; i++)
		r->error = ring_buffer__add(r->rings, m->record_rings[i], handle_access, r);
	if (!r->rings || !r->name_ring || r->error) {
		recorder_free(r);
		return error(-ENOMEM, "cannot map the rings");
	}
	*to = r;
	return 0;
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	ring_buffer__free(r->rings);
	ring_buffer__free(r->name_ring);
	recorder_names_release(&r->names);
	free(r->streams);
	free(r->lanes);
	free(r);
}
