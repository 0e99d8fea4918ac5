// SPDX-License-Identifier: GPL-2.0-or-later
#include "input.h"

#include <stdlib.h>
#include <string.h>

#include "../user/err.h"

#define GROUP_DEPTH 128		/* a path of the kernel's has no more */
#define DISKS 4096		/* with a row of their own */

u64 shifted(u64 ns, s64 shift_ns)
{
	if (shift_ns < 0)
		return ns < -(u64)shift_ns ? 0 : ns + shift_ns;
	return ns > ~0ULL - shift_ns ? ~0ULL : ns + shift_ns;
}

/* ---- names and streams: a file's numbers become ours ---- */

static u32 ours(const struct origin *s, u32 kind, u32 number)
{
	return number < s->numbers_n[kind] ? s->numbers[kind][number] : 0;
}

/* A file may have groups below groups without end. */
static u32 parent_of(const struct names *all, u32 number)
{
	u32 depth = 0;

	for (u32 up = number; up; up = all->of[TRACE_GROUP][up]->parent)
		depth++;
	return depth < GROUP_DEPTH ? number : all->of[TRACE_GROUP][number]->parent;
}

static u32 our_number(struct input *in, const struct origin *s, const struct trace_name *n)
{
	struct trace_name name = *n;

	if (n->kind == TRACE_DISK && in->names.n[TRACE_DISK] >= DISKS)
		return 0;
	name.parent = 0;
	if (n->kind == TRACE_GROUP)
		name.parent = parent_of(&in->names, ours(s, TRACE_GROUP, n->parent));
	return names_number(&in->names, &name, s->host);
}

static void read_names(struct input *in, struct origin *s)
{
	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		u32 n = trace_names(s->reader, kind) + 1, *to = s->numbers[kind];

		if (n <= s->numbers_n[kind])
			continue;
		s->numbers[kind] = to = need(reallocarray(to, n, sizeof(*to)));
		for (u32 i = s->numbers_n[kind]; i < n; i++) {
			const struct trace_name *name = trace_name_of(s->reader, kind, i);

			to[i] = 0;
			s->numbers_n[kind] = i + 1;
			if (name)
				to[i] = our_number(in, s, name);
		}
	}
}

static void grow_ways(struct ways *w, u32 n)
{
	if (n <= w->room)
		return;
	w->room = n + n / 2;
	w->streams = need(reallocarray(w->streams, w->room, sizeof(*w->streams)));
	w->leaves = need(reallocarray(w->leaves, w->room, sizeof(*w->leaves)));
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		w->by[kind] = need(reallocarray(w->by[kind], w->room, sizeof(*w->by[kind])));
}

static void add_way(struct input *in, struct origin *s, u32 i, const struct trace_stream *is)
{
	struct ways *w = &s->ways;
	struct trace_stream *to = &w->streams[i];
	struct leaf *leaf = NULL;

	*to = is ? *is : (struct trace_stream){ .layer = LAYERS };
	to->disk = ours(s, TRACE_DISK, to->disk);
	to->group = ours(s, TRACE_GROUP, to->group);
	to->process = ours(s, TRACE_PROCESS, to->process);
	to->file = ours(s, TRACE_FILE, to->file);
	if (to->layer < LAYERS && to->op < OP_MAX && filter_passes(&in->filter, &in->names, to))
		leaf = tally_leaf(in->tally, to, in->names.of[TRACE_DISK][to->disk]->stacked);
	w->leaves[i] = leaf;
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		w->by[kind][i] = leaf && in->by[kind] ? by_part(in->by[kind], to) : NULL;
	if (leaf)
		in->seen |= 1U << to->layer;
	else if (is)
		w->all = false;
}

static void read_streams(struct input *in, struct origin *s)
{
	u32 n = trace_streams(s->reader) + 1;

	grow_ways(&s->ways, n);
	for (u32 i = s->ways.n; i < n; i++)
		add_way(in, s, i, trace_stream_of(s->reader, i));
	s->ways.n = n;
}

/* ---- one origin ---- */

static void close_reader(struct origin *s)
{
	trace_close(s->reader);
	s->reader = NULL;
	s->next = NULL;
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		s->numbers_n[kind] = 0;
	s->ways.n = 0;
	s->ways.all = true;
}

static unsigned columns_of(const struct input *in)
{
	return in->cut.offset ? TRACE_OFFSET | TRACE_QUEUED | TRACE_HELD :
				TRACE_QUEUED | TRACE_HELD;
}

/* The next batch of one origin, of whichever file; s->next is NULL at the end. */
static int advance(struct input *in, struct origin *s)
{
	int ret = 0;

	s->used = false;
	while (s->at < s->files_n) {
		if (!s->reader)
			ret = trace_open(&s->reader, s->files[s->at], columns_of(in));
		if (ret >= 0)
			ret = trace_next(s->reader, &s->next);
		if (ret < 0)
			return ret;
		if (ret > 0)
			break;
		if (in->done)
			in->done(in->arg, s->files[s->at], s->reader);
		close_reader(s);
		s->at++;
	}
	if (s->reader) {
		read_names(in, s);
		read_streams(in, s);
	}
	return 0;
}

static u64 bound_of(const struct trace_batch *b)
{
	return b->first_ns < b->before_ns ? b->first_ns : b->before_ns;
}

/* Nothing that the origin still has begins before. */
static u64 origin_bound(const struct origin *s)
{
	u64 later, ns;

	if (!s->next)
		return ~0ULL;
	later = s->later_ns[s->at];
	ns = bound_of(s->next);
	return shifted(ns < later ? ns : later, s->shift_ns);
}

/* From file @n on they are others. */
static void drop_files(struct origin *s, u32 n)
{
	while (s->files_n > n)
		free(s->files[--s->files_n]);
}

/* The begin of the observation, so far as @r knows it. */
static void look_at_begin(struct input *in, const struct origin *s, u64 first_ns,
			  const struct trace_reader *r)
{
	u64 ns;

	if (first_ns != ~0ULL && shifted(first_ns, s->shift_ns) < in->begin_ns)
		in->begin_ns = shifted(first_ns, s->shift_ns);
	if (out_get_u64(trace_meta(r), "begin_ns", &ns) && shifted(ns, s->shift_ns) < in->begin_ns)
		in->begin_ns = shifted(ns, s->shift_ns);
}

/* Looks into each file once: when it begins, and if it belongs to the first. */
static int scan(struct input *in, struct origin *s)
{
	u64 row = 0;
	u64 *first = s->later_ns = need(calloc(s->files_n + 1, sizeof(*first)));

	for (u32 i = 0; i < s->files_n; i++) {
		const struct trace_batch *b;
		struct trace_reader *r;
		int ret = trace_open(&r, s->files[i], 0);

		if (ret < 0)
			return ret;
		if (i == 0)
			row = trace_state(r)->row;
		if (trace_state(r)->row != row) {
			drop_files(s, i);
			trace_close(r);
			break;
		}
		ret = trace_next(r, &b);
		first[i] = ret > 0 ? bound_of(b) : ~0ULL;
		look_at_begin(in, s, first[i], r);
		trace_close(r);
		if (ret < 0)
			return ret;
	}
	/* from when a file begins to when those after it do */
	first[s->files_n] = ~0ULL;
	for (u32 i = 0; i < s->files_n; i++)
		first[i] = first[i + 1];
	for (u32 i = s->files_n; i-- > 0;)
		if (first[i + 1] < first[i])
			first[i] = first[i + 1];
	return 0;
}

/* ---- all of them ---- */

static void make_columns(struct input *in, unsigned columns)
{
	u64 *at = in->columns = need(malloc(7 * TRACE_CHUNK * sizeof(u64)));
	struct trace_batch *b = &in->cut;

	b->start_ns = at;
	b->end_ns = at + TRACE_CHUNK;
	b->bytes = at + 2 * TRACE_CHUNK;
	b->queued_ns = at + 3 * TRACE_CHUNK;
	b->held_ns = at + 4 * TRACE_CHUNK;
	b->offset = columns & TRACE_OFFSET ? at + 5 * TRACE_CHUNK : NULL;
	b->stream = (u32 *)(at + 6 * TRACE_CHUNK);
	b->flags = (u8 *)(b->stream + TRACE_CHUNK);
}

/* Those of different machines, by what the traces say. */
static int read_hosts(struct input *in)
{
	bool differ = false;
	char **hosts = need(calloc(in->n + 1, sizeof(*hosts)));
	int ret = 0;

	for (u32 i = 0; i < in->n && !ret; i++) {
		struct trace_reader *r;
		const char *host;

		ret = trace_open(&r, in->origins[i].files[0], 0);
		if (ret)
			break;
		host = out_get_str(trace_meta(r), "host");
		hosts[i] = host ? need(strdup(host)) : NULL;
		differ |= i && strcmp(hosts[i] ?: "", hosts[0] ?: "");
		trace_close(r);
	}
	for (u32 i = 0; i < in->n; i++) {
		if (differ && !ret)
			in->origins[i].host = hosts[i];
		else
			free(hosts[i]);
	}
	free(hosts);
	return ret;
}

int input_open(struct input *in, char *const *paths, u32 n, const s64 *shifts,
	       unsigned columns, u64 from_ns, u64 to_ns)
{
	int ret = 0;

	names_init(&in->names);
	make_columns(in, columns);
	in->origins = need(calloc(n + 1, sizeof(*in->origins)));
	in->begin_ns = ~0ULL;
	for (u32 i = 0; i < n && !ret; i++) {
		struct origin *s = &in->origins[in->n];

		s->shift_ns = shifts[i];
		s->ways.all = true;
		ret = origin_find(s, paths[i], in->origins, in->n);
		if (!ret && s->files_n) {
			in->n++;
			ret = scan(in, s);
		}
	}
	if (ret < 0)
		return ret;
	if (in->begin_ns == ~0ULL)
		in->begin_ns = 0;
	in->from_ns = from_ns ? shifted(in->begin_ns, from_ns) : 0;
	in->to_ns = to_ns ? shifted(in->begin_ns, to_ns) : ~0ULL;
	ret = read_hosts(in);
	for (u32 i = 0; i < in->n && ret >= 0; i++)
		ret = advance(in, &in->origins[i]);
	return ret;
}

int input_next(struct input *in, struct piece *p)
{
	struct origin *first = NULL;
	u64 bound = ~0ULL;

	for (u32 i = 0; i < in->n; i++) {
		struct origin *s = &in->origins[i];
		int ret = s->used ? advance(in, s) : 0;

		if (ret < 0)
			return ret;
		if (s->next && (!first || origin_bound(s) < bound)) {
			first = s;
			bound = origin_bound(s);
		}
	}
	if (!first)
		return 0;
	first->used = true;
	in->accesses += first->next->n;
	*p = (struct piece){ input_cut(in, first), &first->ways, bound };
	return 1;
}

void input_done(struct input *in)
{
	for (u32 i = 0; i < in->n; i++)
		if (in->origins[i].reader)
			in->done(in->arg, in->origins[i].files[in->origins[i].at],
				 in->origins[i].reader);
	in->done = NULL;
}

int input_rewind(struct input *in)
{
	int ret = 0;

	in->accesses = 0;
	for (u32 i = 0; i < in->n && ret >= 0; i++) {
		close_reader(&in->origins[i]);
		in->origins[i].at = 0;
		ret = advance(in, &in->origins[i]);
	}
	return ret;
}

static void origin_release(struct origin *s)
{
	close_reader(s);
	for (u32 i = 0; i < s->files_n; i++)
		free(s->files[i]);
	free(s->files);
	free(s->later_ns);
	free((char *)s->host);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		free(s->numbers[kind]);
		free(s->ways.by[kind]);
	}
	free(s->ways.streams);
	free(s->ways.leaves);
}

void input_close(struct input *in)
{
	for (u32 i = 0; i < in->n; i++)
		origin_release(&in->origins[i]);
	free(in->origins);
	free(in->columns);
	names_release(&in->names);
}
