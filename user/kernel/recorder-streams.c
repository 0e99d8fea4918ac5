// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the stream of a recorded access, and the number of the stream in the trace. A stream is a
 * set of attributes that many accesses share, such as layer, operation, process and file. */
#include "user/kernel/recorder-streams.h"

#include <stdlib.h>

#include "user/base/err.h"
#include "user/trace/write.h"

/* An entry of the cache of streams, valid for accesses that end at .from_ns or later. If any
 * process or file gets another name, recorder_names.renamed changes, and all entries become
 * invalid. */
#define STREAMS 4096
struct stream {
	u64 inode, from_ns;
	u64 renamed;
	u32 dev, group, tgid;
	u8 layer, op, source;
	u32 number; /* number of the stream in the trace; 0: empty entry */
};

struct recorder_streams {
	struct recorder_names *names;
	const struct trace_filter *filter;
	u32 n;
	struct stream cache[STREAMS];
};

static const struct trace_name *name_given(const void *w, u32 kind, u32 number)
{
	return trace_name_given(w, kind, number);
}

static bool stream_passes(const struct recorder_streams *t, u32 kind, u32 number)
{
	return trace_filter_names(t->filter, kind, number, name_given, t->names->w);
}

/* Returns true if the preloaded library recorded @a. Then @a->group is not a group, but the file
 * descriptor plus 1. */
static bool is_of_library(const struct recorded *a, u32 layer)
{
	return layer == LAYER_APP && a->source == SRC_SYSCALL;
}

/* Sets operation, disk and group of @s to those of @a. Returns false if the filter excludes the
 * operation, disk or group. */
static bool stream_set_group(struct recorder_streams *t, const struct recorded *a,
			     struct trace_stream *s)
{
	const struct maps *m = t->names->m;

	if (s->layer == LAYER_DEVICE) {
		const struct cell c = maps_cell(m, a->group < m->max_cells ? a->group : 0);

		s->op = c.op;
		s->disk = recorder_names_disk(t->names, c.disk < MAX_DISKS ? c.disk : 0);
		s->group = recorder_names_group(t->names, c.group);
	} else {
		s->op = a->op;
		s->group = recorder_names_group(t->names,
						is_of_library(a, s->layer) ? GROUP_TOP : a->group);
	}
	return t->filter->ops >> s->op & 1 && stream_passes(t, TRACE_DISK, s->disk) &&
		stream_passes(t, TRACE_GROUP, s->group);
}

/* Returns the time for which the names of access @a are looked up: its end. If @a has no times,
 * returns a very late time, which selects the latest names. */
static u64 named_at(const struct recorded *a)
{
	/* not ~0, because .from_ns is ~0 in an entry that is valid for no access */
	return a->flags & TRACE_UNSPANNED ? ~0ULL - 1 : a->end_ns;
}

/* Called if the stream of @a is not in the cache. Returns the number of the stream in the trace, or
 * STREAM_UNWANTED if the filter excludes @a. Raises *@from_ns to the time from which all names of
 * the stream are valid. Other accesses with the same attributes have the same stream if they end at
 * this time or later. */
static u32 stream_make(struct recorder_streams *t, const struct recorded *a, u32 layer,
		       u64 *from_ns)
{
	struct trace_stream s = { .layer = layer, .source = a->source };
	bool full = t->n >= 4 * NAMES_MAX;
	u32 number;

	if (!stream_set_group(t, a, &s))
		return STREAM_UNWANTED;
	s.process = full ? 0 : recorder_names_process(t->names, a->tgid, named_at(a), from_ns);
	if (!stream_passes(t, TRACE_PROCESS, s.process))
		return STREAM_UNWANTED;
	if (!full)
		s.file = recorder_names_file(t->names, a,
					     is_of_library(a, layer) ? (int)a->group - 1 : -1,
					     named_at(a), from_ns);
	if (!stream_passes(t, TRACE_FILE, s.file))
		return STREAM_UNWANTED;
	t->names->m->unnamed += full;
	number = trace_stream(t->names->w, &s);
	t->n = number > t->n ? number : t->n;
	return number;
}

u32 recorder_stream(struct recorder_streams *t, const struct recorded *a, u32 layer)
{
	u64 from_ns = 0;
	u64 key = (a->inode * 31 + a->dev) * 31 + a->tgid * 131 + layer * 7 + a->op + a->group * 17;
	struct stream *s = &t->cache[key * 0x9e3779b97f4a7c15ULL >> 52 & (STREAMS - 1)];

	if (!s->number || s->renamed != t->names->renamed || named_at(a) < s->from_ns ||
	    s->inode != a->inode || s->dev != a->dev || s->group != a->group ||
	    s->tgid != a->tgid || s->layer != layer || s->op != a->op || s->source != a->source)
		*s = (struct stream){ a->inode,
				      0,
				      t->names->renamed,
				      a->dev,
				      a->group,
				      a->tgid,
				      layer,
				      a->op,
				      a->source,
				      stream_make(t, a, layer, &from_ns) };
	s->from_ns = from_ns > s->from_ns ? from_ns : s->from_ns;
	return s->number;
}

struct recorder_streams *recorder_streams_new(struct recorder_names *names,
					      const struct trace_filter *filter)
{
	struct recorder_streams *t = need(calloc(1, sizeof(*t)));

	t->names = names;
	t->filter = filter;
	return t;
}
