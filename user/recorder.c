// SPDX-License-Identifier: GPL-2.0-or-later
#include "recorder.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "err.h"

/* A number of the kernel's, and the trace's for it. */
struct known {
	u64 id, dev;
	u32 number;
};

/* What many accesses in a row have in common, and the stream that it is. */
#define STREAMS 4096	/* power of two */
struct stream {
	u64 inode;
	u32 dev, group, tgid;
	u8 layer, op, source;
	bool used;
	u32 number;
};

/* Where a lane stands still, and since when. */
struct lane_watch {
	u64 tail, since_ns;
};

struct recorder {
	struct maps *m;
	struct trace_writer *w;
	struct ring_buffer *rings;
	void *processes, *files;	/* trees of struct known */
	u32 *groups, groups_n;		/* by the kernel's number */
	u32 *disks;
	struct stream streams[STREAMS];
	u64 flushed_ns;
	struct lane_watch *lanes;
	int error;
};

/* ---- names ---- */

static int compare(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->dev < y->dev ? -1 : x->dev > y->dev;
}

/* The entry of (@id, @dev), made if there was none. */
static struct known *know(void **tree, u64 id, u64 dev)
{
	struct known *new = need(calloc(1, sizeof(*new))), **found;

	*new = (struct known){ .id = id, .dev = dev };
	found = need(tsearch(new, tree, compare));
	if (*found != new)
		free(new);
	return *found;
}

static u32 process_of(struct recorder *r, u32 tgid)
{
	struct trace_name name = { .kind = TRACE_PROCESS, .id = tgid, .text = "" };
	struct known *k;

	if (!tgid)
		return 0;
	k = know(&r->processes, tgid, 0);
	if (!k->number)
		k->number = trace_name(r->w, &name);
	return k->number;
}

/* @fd: where process @tgid may still have it open; -1: not known. */
static u32 file_of(struct recorder *r, u64 inode, u32 dev, u32 tgid, int fd)
{
	char path[PATH_MAX] = "", link[64];
	struct trace_name name = { .kind = TRACE_FILE, .id = inode, .dev = dev, .text = path };
	struct known *k;
	ssize_t n = -1;

	if (!inode)
		return 0;
	k = know(&r->files, inode, dev);
	if (k->number)
		return k->number;
	snprintf(link, sizeof(link), "/proc/%u/fd/%d", tgid, fd);
	if (fd >= 0)
		n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	k->number = trace_name(r->w, &name);
	return k->number;
}

static u32 disk_of(struct recorder *r, u32 disk)
{
	const struct disk_identity *is = &r->m->disks[disk].is;
	struct trace_name name = { .kind = TRACE_DISK, .id = is->dev, .stacked = is->stacked,
				   .text = is->name };

	if (!r->disks[disk])
		r->disks[disk] = trace_name(r->w, &name);
	return r->disks[disk];
}

/* The path of a group, as of the command's own: "/", "/a", "/a/b". */
static void group_path(const struct maps *m, u32 group, char path[PATH_MAX])
{
	char above[PATH_MAX];

	if (group == GROUP_TOP) {
		strcpy(path, "/");
		return;
	}
	group_path(m, m->groups[group].parent & ~GROUP_OTHER, above);
	if (snprintf(path, PATH_MAX, "%s/%s", strcmp(above, "/") ? above : "",
		     m->groups[group].name) >= PATH_MAX)
		path[PATH_MAX - 1] = '\0';
}

static u32 group_of(struct recorder *r, u32 group)
{
	const struct maps *m = r->m;
	struct trace_name name = { .kind = TRACE_GROUP };
	char path[PATH_MAX];

	group &= ~GROUP_OTHER;
	if (!group || group >= r->groups_n)
		return 0;
	if (r->groups[group])
		return r->groups[group];
	if (group != GROUP_TOP)
		name.parent = group_of(r, m->groups[group].parent);
	group_path(m, group, path);
	name.id = m->groups[group].id;
	name.text = path;
	r->groups[group] = trace_name(r->w, &name);
	return r->groups[group];
}

/* A path comes in parts, the last one first. */
static void keep_path(struct recorder *r, const struct named_record *n)
{
	char path[NAMED_PARTS * NAMED_LENGTH + 4] = "";
	struct trace_name name = { .kind = TRACE_FILE, .id = n->inode, .dev = n->dev, .text = path };
	u32 parts = n->parts < NAMED_PARTS ? n->parts : NAMED_PARTS;
	size_t used = n->parts >= NAMED_PARTS ? sprintf(path, "...") : 0;

	while (parts--)
		used += sprintf(path + used, "/%.*s", NAMED_LENGTH - 1, n->text[parts]);
	know(&r->files, n->inode, n->dev)->number = trace_name(r->w, &name);
}

static void keep_name(struct recorder *r, const struct named_record *n)
{
	struct trace_name name = { .kind = TRACE_PROCESS, .id = n->tgid, .text = n->text[0] };

	if (n->kind == NAMED_FILE)
		keep_path(r, n);
	else
		know(&r->processes, n->tgid, 0)->number = trace_name(r->w, &name);
	memset(r->streams, 0, sizeof(r->streams));	/* they may have had an old name */
}

/* ---- accesses ---- */

static u32 stream_make(struct recorder *r, const struct recorded *a, u32 layer)
{
	const struct maps *m = r->m;
	struct trace_stream s = { .layer = layer, .op = a->op, .source = a->source };

	s.process = process_of(r, a->tgid);
	if (layer == LAYER_DEVICE) {
		const struct cell *c = &m->cells[a->dev < m->max_cells ? a->dev : 0];

		s.op = c->op;
		s.disk = disk_of(r, c->disk < MAX_DISKS ? c->disk : 0);
		s.group = group_of(r, c->group);
	} else {
		s.group = group_of(r, layer == LAYER_APP && a->source == SRC_SYSCALL ?
				      GROUP_TOP : a->group);
		s.file = file_of(r, a->inode, a->dev, a->tgid,
				 s.source == SRC_SYSCALL && layer == LAYER_APP ?
				 (int)a->group - 1 : -1);
	}
	return trace_stream(r->w, &s);
}

static u32 stream_of(struct recorder *r, const struct recorded *a, u32 layer)
{
	u64 inode = layer == LAYER_DEVICE ? 0 : a->inode;
	u64 key = (inode * 31 + a->dev) * 31 + a->tgid * 131 + layer * 7 + a->op;
	struct stream *s = &r->streams[key * 0x9e3779b97f4a7c15ULL >> 52 & (STREAMS - 1)];

	if (!s->used || s->inode != inode || s->dev != a->dev || s->group != a->group ||
	    s->tgid != a->tgid || s->layer != layer || s->op != a->op || s->source != a->source)
		*s = (struct stream){ inode, a->dev, a->group, a->tgid, layer, a->op, a->source,
				      true, stream_make(r, a, layer) };
	return s->number;
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
	for (u32 layer = 0; layer < LAYERS && !r->error; layer++) {
		if (!(a->layers & 1 << layer))
			continue;
		to.queued_ns = layer == LAYER_DEVICE ? a->inode : 0;
		to.stream = stream_of(r, a, layer);
		r->error = trace_add(r->w, &to);
	}
}

/* ---- the rings ---- */

static int take(void *arg, void *data, size_t size)
{
	struct recorder *r = arg;

	if (r->error)
		return 0;
	if (size == sizeof(struct recorded))
		recorder_keep(r, data);
	else
		keep_name(r, data);
	return 0;
}

/* A thread that died, or was stopped, between taking a place and filling it: after this
 * time the lane goes on without it. */
#define LANE_PATIENCE_NS 1000000000ULL

static bool lane_skips(struct lane_watch *watch, u64 tail, u64 now)
{
	if (watch->tail != tail || !watch->since_ns)
		*watch = (struct lane_watch){ tail, now };
	return now - watch->since_ns > LANE_PATIENCE_NS;
}

static void take_lane(struct recorder *r, struct record_lane *l, struct lane_watch *watch)
{
	u64 head = __atomic_load_n(&l->head, __ATOMIC_ACQUIRE), tail = l->tail;

	for (; tail < head; tail++) {
		struct recorded *a = &l->entries[tail & (LANE_ENTRIES - 1)], copy;
		u8 layers = __atomic_load_n(&a->layers, __ATOMIC_ACQUIRE);

		if (!layers && !lane_skips(watch, tail, now_ns()))
			break;
		copy = *a;
		copy.layers = 1 << LAYER_APP;
		__atomic_store_n(&a->layers, 0, __ATOMIC_RELAXED);
		if (layers)
			recorder_keep(r, &copy);
		else
			r->m->losses->records[LAYER_APP]++;
	}
	__atomic_store_n(&l->tail, tail, __ATOMIC_RELEASE);
}

int recorder_poll(struct recorder *r)
{
	u64 now = now_ns();
	int ret;

	ret = ring_buffer__consume(r->rings);
	if (ret < 0 && !r->error)
		r->error = error(ret, "cannot read the rings: %s", strerror(-ret));
	for (u32 i = 0; i < r->m->lanes_n; i++)
		take_lane(r, &r->m->lanes[i], &r->lanes[i]);
	if (now - r->flushed_ns > RECORDER_FLUSH_NS && !r->error) {
		r->flushed_ns = now;
		r->error = trace_flush(r->w);
	}
	return r->error;
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

static void keep_pending(struct recorder *r, const struct pending *p, u64 now)
{
	struct recorded part = { .offset = p->at.offset, .inode = p->at.inode, .dev = p->at.dev,
				 .tgid = p->tgid, .layers = 1 << LAYER_APP | 1 << LAYER_VFS,
				 .op = p->op == VFS_SYNC ? OP_SYNC : p->op,
				 .source = p->kind == PENDING_AIO ? SRC_AIO : SRC_RING };

	if (p->kind == PENDING_BIO)
		part = (struct recorded){ .offset = p->at.offset, .dev = p->op, .tgid = p->tgid,
					  .layers = 1 << LAYER_DEVICE };
	keep_part(r, part, p->start_ns, now);
}

void recorder_in_flight(struct recorder *r, u64 now)
{
	const struct maps *m = r->m;
	u32 slots = *m->slots_n < m->max_slots ? *m->slots_n : m->max_slots;

	for (u32 i = 0; i < slots; i++)
		keep_part(r, (struct recorded){ .offset = TRACE_NO_OFFSET, .dev = m->slots[i].cell,
						.tgid = m->slots[i].tgid,
						.layers = 1 << LAYER_DEVICE },
			  m->slots[i].start_ns, now);
	for (u32 i = 0; i < PENDING_BUCKETS * PENDING_WAYS; i++)
		if (m->buckets[i / PENDING_WAYS].key[i % PENDING_WAYS])
			keep_pending(r, &m->pending[i], now);
	for (u32 i = 0; i < APP_THREADS; i++) {
		const struct app_thread *t = &m->app->threads[i];

		if (t->tid && t->stage == APP_INSIDE)
			keep_part(r, (struct recorded){ .offset = TRACE_NO_OFFSET,
							.layers = 1 << LAYER_APP,
							.op = t->op == APP_SPAN_SYNC ? OP_SYNC :
										       t->op },
				  t->start_ns, now);
	}
}

/* ---- life ---- */

int recorder_new(struct recorder **to, struct maps *m, struct trace_writer *w)
{
	struct recorder *r = need(calloc(1, sizeof(*r)));

	r->m = m;
	r->w = w;
	r->groups_n = m->max_groups + 1;
	r->groups = need(calloc(r->groups_n, sizeof(*r->groups)));
	r->disks = need(calloc(MAX_DISKS, sizeof(*r->disks)));
	r->lanes = need(calloc(m->lanes_n + 1, sizeof(*r->lanes)));
	r->flushed_ns = now_ns();
	for (u32 i = 0; i < m->record_rings_n; i++) {
		int fd = m->record_rings[i];

		if (!r->rings)
			r->rings = ring_buffer__new(fd, take, r, NULL);
		else if (ring_buffer__add(r->rings, fd, take, r))
			r->error = -errno;
	}
	if (!r->rings || r->error) {
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
	tdestroy(r->processes, free);
	tdestroy(r->files, free);
	free(r->groups);
	free(r->disks);
	free(r->lanes);
	free(r);
}
