// SPDX-License-Identifier: GPL-2.0-or-later
/* Names and streams: a file's numbers become ours. */
#include <stdlib.h>

#include "user/base/err.h"
#include "tools/input/access.h"
#include "tools/input/input.h"
#include "tools/input/input-names.h"
#include "user/trace/trace-read.h"

#define GROUP_DEPTH 128 /* a path of the kernel's has no more */
#define DISKS 4096	/* with a row of their own */

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
	for (int i = 0; i < INPUT_SLOTS; i++)
		w->slots[i] = need(reallocarray(w->slots[i], w->room, sizeof(*w->slots[i])));
}

static void add_way(struct input *in, struct origin *s, u32 i, const struct trace_stream *is)
{
	struct ways *w = &s->ways;
	struct trace_stream *to = &w->streams[i];
	void *slots[INPUT_SLOTS] = {};

	*to = is ? *is : (struct trace_stream){ .layer = LAYERS };
	to->disk = ours(s, TRACE_DISK, to->disk);
	to->group = ours(s, TRACE_GROUP, to->group);
	to->process = ours(s, TRACE_PROCESS, to->process);
	to->file = ours(s, TRACE_FILE, to->file);
	if (to->layer < LAYERS && to->op < OP_MAX &&
	    trace_filter_passes(&in->filter, to, names_name, &in->names)) {
		if (in->stream)
			in->stream(in->stream_arg, to, input_is_stacked(in, to), slots);
		else if (access_is_countable(to))
			slots[0] = in;
	}
	for (int slot = 0; slot < INPUT_SLOTS; slot++)
		w->slots[slot][i] = slots[slot];
	if (slots[0])
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

void input_name(struct input *in, struct origin *s)
{
	read_names(in, s);
	read_streams(in, s);
}
