// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the time of a disk that cgroups share. A sharer is a cgroup on the disk. It is active
 * while it has a read or write in flight. An event is the start or end of an access. */
#include "tools/report/neighbourhood.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"

static bool earlier(const void *a, const void *b)
{
	return ((const struct heap_access *)a)->at_ns < ((const struct heap_access *)b)->at_ns;
}

static const struct heap_kind by_time = { sizeof(struct heap_access), earlier };

/* If the earliest event of the heap @h is at @until_ns or earlier, removes its access from the
 * heap, and stores it in *@first. Otherwise returns false. */
static bool pop_until(struct heap *h, u64 until_ns, struct heap_access *first)
{
	if (!h->n || ((const struct heap_access *)h->at)->at_ns > until_ns)
		return false;
	heap_pop(h, &by_time, first);
	return true;
}

/* ---- the table of pairs ---- */

/* Returns the element of s->pairs for the cgroups with the numbers @less and @more. If the pair is
 * not in the table, returns the free element for it. */
static struct shared_pair *find_pair(const struct neighbourhood *s, u32 less, u32 more)
{
	u64 hash = ((u64)less << 32 | more) * 0x9e3779b97f4a7c15ULL;
	u32 i = hash >> 32 & (s->pairs_room - 1);

	while (s->pairs[i].joint_ns && (s->pairs[i].less != less || s->pairs[i].more != more))
		i = (i + 1) & (s->pairs_room - 1);
	return &s->pairs[i];
}

static void grow_pairs(struct neighbourhood *s)
{
	struct shared_pair *old = s->pairs;
	u32 n = s->pairs_room;

	s->pairs_room = n ? 2 * n : 16;
	s->pairs = need(calloc(s->pairs_room, sizeof(*s->pairs)));
	for (u32 i = 0; i < n; i++)
		if (old[i].joint_ns)
			*find_pair(s, old[i].less, old[i].more) = old[i];
	free(old);
}

static void add_joint(struct neighbourhood *s, u32 a, u32 b, u64 ns)
{
	u32 less = a < b ? a : b, more = a < b ? b : a;
	struct shared_pair *p;

	if (!ns)
		return;
	if (2 * s->pairs_n >= s->pairs_room)
		grow_pairs(s);
	p = find_pair(s, less, more);
	s->pairs_n += !p->joint_ns;
	*p = (struct shared_pair){ less, more, p->joint_ns + ns };
}

u64 sharer_joint_ns(const struct sharer *a, const struct sharer *b)
{
	const struct neighbourhood *s = a->disk;

	if (!s->pairs_room)
		return 0;
	return a->group < b->group ? find_pair(s, a->group, b->group)->joint_ns :
				     find_pair(s, b->group, a->group)->joint_ns;
}

static void set_neighbour(struct sharer *s, const struct sharer *other, u64 ns)
{
	if (ns < s->neighbour_ns || (ns == s->neighbour_ns && s->neighbour->group < other->group))
		return;
	s->neighbour = other;
	s->neighbour_ns = ns;
}

void neighbourhood_find_neighbours(struct neighbourhood *s)
{
	for (u32 i = 0; i < s->pairs_room; i++) {
		const struct shared_pair *p = &s->pairs[i];

		if (!p->joint_ns)
			continue;
		set_neighbour(s->sharers[p->less], s->sharers[p->more], p->joint_ns);
		set_neighbour(s->sharers[p->more], s->sharers[p->less], p->joint_ns);
	}
}

/* ---- events ---- */

static struct neighbourhood *neighbourhood_new(u32 disk, bool stacked)
{
	struct neighbourhood *s = need(calloc(1, sizeof(*s)));

	s->disk = disk;
	s->stacked = stacked;
	return s;
}

static void neighbourhood_free(struct neighbourhood *s)
{
	if (!s)
		return;
	for (u32 i = 0; i < s->sharers_room; i++)
		free(s->sharers[i]);
	free(s->sharers);
	free(s->active);
	free(s->waiting.at);
	free(s->flying.at);
	free(s->starting);
	free(s->pairs);
	free(s);
}

static struct sharer *neighbourhood_find(struct neighbourhood *s, u32 group)
{
	struct sharer *new;

	s->sharers = need_index(s->sharers, &s->sharers_room, group, sizeof(*s->sharers));
	if (s->sharers[group])
		return s->sharers[group];
	new = s->sharers[group] = need(calloc(1, sizeof(*new)));
	new->disk = s;
	new->group = group;
	s->active = need(reallocarray(s->active, ++s->sharers_n, sizeof(*s->active)));
	return new;
}

static void move_to(struct neighbourhood *s, u64 ns)
{
	if (s->active_n == 1)
		s->active[0]->alone_ns += ns - s->now_ns;
	s->now_ns = ns;
}

static void start_access(struct neighbourhood *s, const struct heap_access *f)
{
	struct sharer *by = s->sharers[f->group];

	move_to(s, f->at_ns);
	if (by->in_flight++)
		return;
	by->active_ns = s->now_ns;
	by->active_number = s->active_n;
	s->active[s->active_n++] = by;
}

static void become_idle(struct neighbourhood *s, struct sharer *by)
{
	s->active[by->active_number] = s->active[--s->active_n];
	s->active[by->active_number]->active_number = by->active_number;
	by->span_ns += s->now_ns - by->active_ns;
	for (u32 i = 0; i < s->active_n; i++) {
		const struct sharer *other = s->active[i];
		u64 from = by->active_ns > other->active_ns ? by->active_ns : other->active_ns;

		add_joint(s, by->group, other->group, s->now_ns - from);
	}
}

static void add_latency(struct latencies *l, u64 ns)
{
	l->accesses++;
	l->sum_ns += ns;
}

static void end_access(struct neighbourhood *s, const struct heap_access *f)
{
	struct sharer *by = s->sharers[f->group];

	move_to(s, f->at_ns);
	if (!--by->in_flight)
		become_idle(s, by);
}

static void end_accesses(struct neighbourhood *s, u64 until_ns)
{
	struct heap_access f;

	while (pop_until(&s->flying, until_ns, &f))
		end_access(s, &f);
}

static void sharer_access(struct sharer *s, const struct trace_batch *b, u32 i)
{
	struct neighbourhood *disk = s->disk;
	u64 start_ns = b->start_ns[i], end_ns = b->end_ns[i];
	struct heap_access f = {
		.latency_ns = access_latency_ns(b, i),
		.group = s->group,
		.has_latency = !(b->flags[i] & COUNTS_UNTIMED),
	};

	if (b->flags[i] & TRACE_UNSPANNED)
		return;
	if (start_ns < disk->before_ns)
		start_ns = disk->before_ns;
	f.at_ns = start_ns;
	f.end_ns = end_ns;
	if (start_ns < end_ns)
		heap_push(&disk->waiting, &by_time, &f);
	else if (f.has_latency)
		add_latency(&s->alone, f.latency_ns);
}

/* Moves the @n accesses in s->starting, which all started at the same time, to s->flying. Adds the
 * latency of each access to its cgroup: to .shared if several cgroups are active, otherwise to
 * .alone. */
static void count_started(struct neighbourhood *s, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		struct heap_access f = s->starting[i];
		struct sharer *by = s->sharers[f.group];

		if (f.has_latency)
			add_latency(s->active_n > 1 ? &by->shared : &by->alone, f.latency_ns);
		f.at_ns = f.end_ns;
		heap_push(&s->flying, &by_time, &f);
	}
}

static void neighbourhood_settle(struct neighbourhood *s, u64 before_ns)
{
	struct heap_access f;

	while (before_ns && pop_until(&s->waiting, before_ns - 1, &f)) {
		u64 start_ns = f.at_ns;
		u32 n = 0;

		end_accesses(s, start_ns);
		do {
			start_access(s, &f);
			s->starting = need_index(s->starting, &s->starting_room, n, sizeof(f));
			s->starting[n++] = f;
		} while (pop_until(&s->waiting, start_ns, &f));
		count_started(s, n);
	}
	end_accesses(s, before_ns);
	if (before_ns > s->before_ns)
		s->before_ns = before_ns;
}

double latencies_mean_ns(const struct latencies *l)
{
	return l->accesses ? (double)l->sum_ns / l->accesses : NAN;
}

double sharer_slowdown(const struct sharer *s)
{
	return s->alone.sum_ns ? latencies_mean_ns(&s->shared) / latencies_mean_ns(&s->alone) : NAN;
}

/* ---- the disks of a trace ---- */

void neighbours_release(struct neighbours *n)
{
	for (u32 i = 0; i < n->room; i++)
		neighbourhood_free(n->disks[i]);
	free(n->disks);
}

struct sharer *neighbours_find(struct neighbours *n, const struct trace_stream *s, bool stacked)
{
	if (s->layer != LAYER_DEVICE || (s->op != OP_READ && s->op != OP_WRITE))
		return NULL;
	n->disks = need_index(n->disks, &n->room, s->disk, sizeof(*n->disks));
	if (!n->disks[s->disk])
		n->disks[s->disk] = neighbourhood_new(s->disk, stacked);
	return neighbourhood_find(n->disks[s->disk], s->group);
}

void neighbours_batch(const struct trace_batch *b, void *const *sharers)
{
	for (u32 i = 0; i < b->n; i++)
		if (sharers[b->stream[i]])
			sharer_access(sharers[b->stream[i]], b, i);
}

void neighbours_settle(struct neighbours *n, u64 before_ns)
{
	for (u32 i = 0; i < n->room; i++)
		if (n->disks[i])
			neighbourhood_settle(n->disks[i], before_ns);
}
