// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/kernel/recorder.h"
#include "user/kernel/recorder-names.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/trace/write.h"

/* What many accesses in a row have in common, and the stream that it is. */
#define STREAMS 4096 /* power of two */
struct stream {
	u64 inode, from_ns;
	u64 renamed; /* as in struct namer: it is right as long as that stays */
	u32 dev, group, tgid;
	u8 layer, op, source;
	u32 number; /* 0: none yet */
};
#define UNWANTED (~0U)

/* Who is in the middle of telling a name hides those that others have told since: so long they
 * are waited for. */
#define NAMES_PATIENCE_NS 10000000ULL

/* How far a lane has been taken, and since when it stands still there. The lane itself is the
 * measured programs' to write. */
struct lane_watch {
	u64 tail, since_ns;
};

struct recorder {
	struct maps *m;
	struct trace_writer *w;
	const struct trace_filter *filter;
	struct ring_buffer *rings, *told; /* accesses, names */
	struct namer names;
	u64 names_taken, waiting_for, waiting_ns; /* the name waited for, since when */
	u32 streams_n;
	struct stream streams[STREAMS];
	u64 begin_ns, flushed_ns;
	u32 pidns; /* ours */
	bool ending;
	struct lane_watch *lanes;
	int error;
};

/* ---- accesses ---- */

static const struct trace_name *name_given(const void *w, u32 kind, u32 number)
{
	return trace_name_given(w, kind, number);
}

static bool is_wanted(const struct recorder *r, u32 kind, u32 number)
{
	return trace_filter_names(r->filter, kind, number, name_given, r->w);
}

/* By the preloaded library, which knows a descriptor and no group. */
static bool is_of_library(const struct recorded *a, u32 layer)
{
	return layer == LAYER_APP && a->source == SRC_SYSCALL;
}

/* Its operation, disk and group. False: nobody wants it; nor are its other names then. */
static bool stream_place(struct recorder *r, const struct recorded *a, struct trace_stream *s)
{
	const struct maps *m = r->m;

	if (s->layer == LAYER_DEVICE) {
		const struct cell c = maps_cell(m, a->dev < m->max_cells ? a->dev : 0);

		s->op = c.op;
		s->disk = namer_disk(&r->names, c.disk < MAX_DISKS ? c.disk : 0);
		s->group = namer_group(&r->names, c.group);
	} else {
		s->op = a->op;
		s->group =
			namer_group(&r->names, is_of_library(a, s->layer) ? GROUP_TOP : a->group);
	}
	return r->filter->ops >> s->op & 1 && is_wanted(r, TRACE_DISK, s->disk) &&
		is_wanted(r, TRACE_GROUP, s->group);
}

/* What it is called is what it was at its end; of one without an end, what it is now. */
static u64 named_at(const struct recorded *a)
{
	return a->flags & TRACE_UNSPANNED ? ~0ULL - 1 : a->end_ns; /* ~0 is no time */
}

/* *@from_ns: it is that of accesses which end no earlier. */
static u32 stream_make(struct recorder *r, const struct recorded *a, u32 layer, u64 *from_ns)
{
	struct trace_stream s = { .layer = layer, .source = a->source };
	bool full = r->streams_n >= 4 * NAMES_MAX;
	u32 number;

	if (!stream_place(r, a, &s))
		return UNWANTED;
	s.process = full ? 0 : namer_process(&r->names, a->tgid, named_at(a), from_ns);
	if (!is_wanted(r, TRACE_PROCESS, s.process))
		return UNWANTED;
	if (layer != LAYER_DEVICE && !full)
		s.file = namer_file(&r->names, a, is_of_library(a, layer) ? (int)a->group - 1 : -1,
				    named_at(a), from_ns);
	if (!is_wanted(r, TRACE_FILE, s.file))
		return UNWANTED;
	r->m->unnamed += full;
	number = trace_stream(r->w, &s);
	r->streams_n = number > r->streams_n ? number : r->streams_n;
	return number;
}

static u32 stream_of(struct recorder *r, const struct recorded *a, u32 layer)
{
	u64 inode = layer == LAYER_DEVICE ? 0 : a->inode, from_ns = 0;
	u64 key = (inode * 31 + a->dev) * 31 + a->tgid * 131 + layer * 7 + a->op;
	struct stream *s = &r->streams[key * 0x9e3779b97f4a7c15ULL >> 52 & (STREAMS - 1)];

	if (!s->number || s->renamed != r->names.renamed || named_at(a) < s->from_ns ||
	    s->inode != inode || s->dev != a->dev || s->group != a->group || s->tgid != a->tgid ||
	    s->layer != layer || s->op != a->op || s->source != a->source)
		*s = (struct stream){ inode,
				      0,
				      r->names.renamed,
				      a->dev,
				      a->group,
				      a->tgid,
				      layer,
				      a->op,
				      a->source,
				      stream_make(r, a, layer, &from_ns) };
	s->from_ns = from_ns > s->from_ns ? from_ns : s->from_ns;
	return s->number;
}

/* Nobody is waited for twice: a CPU that has been taken away from us may be away for long. */
static bool is_patient(struct recorder *r)
{
	u64 now = now_ns(), next = r->names_taken + r->m->losses->name_records + 1;

	if (r->waiting_for != next) {
		r->waiting_for = next;
		r->waiting_ns = now;
	}
	return now - r->waiting_ns < NAMES_PATIENCE_NS;
}

/* All names of an access that has been taken have been begun by now. */
static void take_names(struct recorder *r)
{
	u64 begun = __atomic_load_n(r->m->names_begun, __ATOMIC_ACQUIRE);

	ring_buffer__consume(r->told);
	while (r->names_taken + r->m->losses->name_records < begun && is_patient(r)) {
		sched_yield();
		ring_buffer__consume(r->told);
	}
}

void recorder_keep(struct recorder *r, const struct recorded *a)
{
	struct trace_access to = {
		.start_ns = a->start_ns,
		.end_ns = a->end_ns,
		.bytes = a->bytes,
		.offset = a->offset,
		.held_ns = a->held_ns,
		.flags = a->flags,
	};

	if (!r || r->error)
		return;
	take_names(r); /* each time: another CPU may have told some a moment ago */
	for (u32 layer = 0; layer < LAYERS && !r->error; layer++) {
		if (!(a->layers & 1 << layer))
			continue;
		to.queued_ns = layer == LAYER_DEVICE ? a->inode : 0;
		to.stream = stream_of(r, a, layer);
		if (to.stream == UNWANTED)
			continue;
		r->error = trace_add(r->w, &to);
	}
}

/* ---- the rings ---- */

static int take(void *arg, void *data, size_t size)
{
	recorder_keep(arg, data);
	return 0;
}

static int take_name(void *arg, void *data, size_t size)
{
	struct recorder *r = arg;

	r->names_taken++;
	namer_told(&r->names, data);
	return 0;
}

/* A thread that was stopped between taking a place and filling it: after this time the lane
 * goes on without it. If it died, at once. */
#define LANE_PATIENCE_NS 1000000000ULL

/* Nobody fills this place any more. */
static bool place_is_given_up(const struct recorder *r, struct lane_watch *watch, u32 tgid)
{
	u64 now = now_ns();

	if (!watch->since_ns)
		watch->since_ns = now;
	return r->ending || now - watch->since_ns > LANE_PATIENCE_NS ||
		(tgid && r->m->init_pidns && kill(tgid, 0) && errno == ESRCH);
}

/* What comes from there may be anything. */
static bool is_plausible(const struct recorder *r, const struct recorded *a)
{
	return r->begin_ns <= a->start_ns && a->start_ns <= a->end_ns && a->end_ns <= now_ns() &&
		a->source == SRC_SYSCALL && !(a->flags & ~(TRACE_FAILED | TRACE_PART)) &&
		(a->op == OP_READ || a->op == OP_WRITE || a->op == OP_SYNC);
}

/* A process in another pid namespace has a number that means another one here. */
static void take_place(struct recorder *r, struct recorded a)
{
	u32 pidns = a.held_ns;

	a.held_ns = 0;
	a.layers = 1 << LAYER_APP;
	if (pidns && pidns != r->pidns)
		a.tgid = a.group = 0;
	if (is_plausible(r, &a))
		recorder_keep(r, &a);
	else
		r->m->losses->records[LAYER_APP]++;
}

static void take_lane(struct recorder *r, struct record_lane *l, struct lane_watch *watch)
{
	u64 head = __atomic_load_n(&l->head, __ATOMIC_ACQUIRE);

	if (head - watch->tail > LANE_ENTRIES) /* somebody has written over it */
		head = watch->tail + LANE_ENTRIES;
	for (; watch->tail != head; watch->tail++) {
		struct recorded *a = &l->entries[watch->tail & (LANE_ENTRIES - 1)], copy;
		u64 mark = __atomic_load_n(&a->held_ns, __ATOMIC_ACQUIRE);
		bool filled = mark >> 32 == (u32)(watch->tail + 1);

		maps_copy(&copy, a, sizeof(copy));
		if (!filled && !place_is_given_up(r, watch, copy.tgid))
			break;
		__atomic_store_n(&a->tgid, 0, __ATOMIC_RELAXED);
		watch->since_ns = 0;
		if (filled)
			take_place(r, copy);
		else
			r->m->losses->records[LAYER_APP]++;
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
		take_lane(r, &r->m->lanes[i], &r->lanes[i]);
	r->names.settled_ns = now - 2 * LANE_PATIENCE_NS;
	if (now - r->flushed_ns > RECORDER_FLUSH_NS && !r->error) {
		r->flushed_ns = now;
		r->error = trace_flush(r->w);
	}
}

/* ---- the end ---- */

static void keep_part(struct recorder *r, struct recorded part, u64 start, u64 now)
{
	part.start_ns = start;
	part.end_ns = now;
	part.flags = TRACE_PART;
	if (start && start < now)
		recorder_keep(r, &part);
}

/* A ring request's: whose cell it is in; there is none where groups are not told apart. */
static u32 ring_group(const struct maps *m, const struct pending *p)
{
	return p->span && p->span < m->max_cells ? m->cells[p->span].group : GROUP_TOP;
}

void recorder_keep_pending(struct recorder *r, const struct pending *p, u64 now)
{
	struct recorded part = { .offset = p->at.offset, .tgid = p->tgid };

	if (!r || p->kind == PENDING_LATE)
		return;
	if (p->kind == PENDING_BIO) {
		part.dev = p->op;
		part.layers = 1 << LAYER_DEVICE;
	} else {
		part.inode = p->at.inode;
		part.dev = p->at.dev;
		part.group = ring_group(r->m, p);
		part.layers = 1 << LAYER_APP | 1 << LAYER_VFS;
		part.op = op_of_call(p->op);
		part.source = p->kind == PENDING_AIO ? SRC_AIO : SRC_RING;
	}
	keep_part(r, part, p->start_ns, now);
}

static void keep_slot(struct recorder *r, const struct slot *shared, u64 now)
{
	struct slot s;

	maps_copy(&s, shared, sizeof(s));
	keep_part(r,
		  (struct recorded){ .offset = TRACE_NO_OFFSET,
				     .dev = s.cell,
				     .tgid = s.tgid,
				     .layers = 1 << LAYER_DEVICE },
		  s.start_ns, now);
}

static void keep_thread(struct recorder *r, const struct app_thread *shared, u64 now)
{
	struct app_thread t; /* any measured program may have written it */

	maps_copy(&t, shared, sizeof(t));
	if (t.tid && t.stage == APP_INSIDE && t.op <= APP_SPAN_SYNC && t.start_ns >= r->begin_ns)
		keep_part(r,
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

/* ---- life ---- */

int recorder_new(struct recorder **to, struct maps *m, struct trace_writer *w,
		 const struct trace_filter *filter)
{
	struct recorder *r = need(calloc(1, sizeof(*r)));
	struct stat st;

	r->m = m;
	r->w = w;
	r->filter = filter;
	namer_init(&r->names, m, w);
	r->lanes = need(calloc(m->lanes_n + 1, sizeof(*r->lanes)));
	r->begin_ns = r->flushed_ns = now_ns();
	r->pidns = stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
	r->rings = ring_buffer__new(m->record_rings[0], take, r, NULL);
	r->told = ring_buffer__new(m->names_ring, take_name, r, NULL);
	for (u32 i = 1; i < m->record_rings_n && r->rings && !r->error; i++)
		r->error = ring_buffer__add(r->rings, m->record_rings[i], take, r);
	if (!r->rings || !r->told || r->error) {
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
	ring_buffer__free(r->told);
	namer_drop(&r->names);
	free(r->lanes);
	free(r);
}
