// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads system data, the I/O of a system per interval, from a trace at the lowest recorded layer.
 * Each cgroup may have a column of its own. An access belongs to the interval in which it ends. */
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "tools/correlate/group-columns.h"
#include "tools/correlate/sources.h"
#include "tools/input/traced.h"

#define MOST_CELLS (64U << 20)
#define UNCOUNTED (TRACE_PART | TRACE_UNSPANNED)

struct group_bytes {
	u32 group;
	u32 column; /* number of the column "NAME bytes" of the cgroup; 0: it has none */
	double bytes;
};

struct seen_system {
	struct series *to;
	const struct traced *t;
	int layer;
	u64 width_ns, last_ns;
	bool any[LAYERS];
	/* one array per layer; the index is the number of the cgroup in the trace */
	struct group_bytes *groups[LAYERS];
	u32 groups_n[LAYERS];
};

/* ---- first pass over the trace: finds layers and cgroups ---- */

static struct group_bytes *group_bytes_of(struct seen_system *s, int layer, u32 group)
{
	s->groups[layer] =
		need_index(s->groups[layer], &s->groups_n[layer], group, sizeof(**s->groups));
	return &s->groups[layer][group];
}

static void scan_access(void *arg, const struct traced_access *a)
{
	struct seen_system *s = arg;
	u8 layer = a->stream->layer;

	if (a->flags & UNCOUNTED || a->stream->op > OP_WRITE)
		return;
	s->any[layer] = true;
	s->last_ns = a->end_ns > s->last_ns ? a->end_ns : s->last_ns;
	group_bytes_of(s, layer, a->stream->group)->bytes += a->bytes;
}

static int by_traced_bytes(const void *a, const void *b)
{
	const struct group_bytes *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->group < y->group ? -1 : 1;
}

static void add_group_column(struct seen_system *s, u32 group, const char *title)
{
	char *name = need_text("%s bytes", title);

	s->groups[s->layer][group].column = s->to->columns_n;
	series_column(s->to, name, false);
	free(name);
}

/* Adds a column "NAME bytes" for each cgroup with I/O, except those of the jobs. If there is only
 * one cgroup, adds no column, because it would equal the total. */
static void add_group_columns(struct seen_system *s)
{
	u32 n = s->groups_n[s->layer], most = s->to->columns_n + MOST_GROUPS;
	struct group_bytes *sorted = need(calloc(n + 2, sizeof(*sorted)));

	for (u32 i = 0; i < n; i++) {
		s->groups[s->layer][i].group = i;
		sorted[i] = s->groups[s->layer][i];
	}
	qsort(sorted, n, sizeof(*sorted), by_traced_bytes);
	for (u32 i = 0; sorted[1].bytes && sorted[i].bytes && s->to->columns_n < most; i++) {
		char *title = names_title(&s->t->in.names, TRACE_GROUP, sorted[i].group);

		if (!group_is_of_iospan(title))
			add_group_column(s, sorted[i].group, title);
		free(title);
	}
	free(sorted);
}

static int make_intervals(struct seen_system *s, const char *path)
{
	u64 begin = s->t->in.begin_ns, end = begin + s->t->elapsed_ns, n;

	end = end > s->last_ns ? end : s->last_ns;
	n = (end - 1 - begin) / s->width_ns + 1;
	s->layer = LAYER_DEVICE;
	while (s->layer && !s->any[s->layer])
		s->layer--;
	series_io_columns(s->to);
	add_group_columns(s);
	if (n > MOST_CELLS / s->to->columns_n)
		return error(-E2BIG, "'%s' has too many intervals; give a longer --interval", path);
	for (u64 i = 0; i < n; i++)
		series_add(s->to, traced_s(s->t, begin + i * s->width_ns),
			   traced_s(s->t, begin + (i + 1) * s->width_ns));
	return 0;
}

static void count_access(void *arg, const struct traced_access *a)
{
	struct seen_system *s = arg;
	u64 begin = s->t->in.begin_ns;
	u64 at = a->end_ns > begin ? (a->end_ns - 1 - begin) / s->width_ns : 0;
	struct column_sums *to = s->to->columns;
	u32 column;

	if (a->stream->layer != s->layer || a->flags & UNCOUNTED || a->stream->op > OP_WRITE)
		return;
	/* A trace that is still being written may have grown since the first pass. Accesses after
	 * the last interval of the first pass are left out. */
	if (at >= s->to->n)
		return;
	to[a->stream->op == OP_WRITE ? WRITE_BYTES : READ_BYTES].values[at] += a->bytes;
	to[a->stream->op == OP_WRITE ? WRITE_OPS : READ_OPS].values[at]++;
	column = group_bytes_of(s, s->layer, a->stream->group)->column;
	if (column)
		to[column].values[at] += a->bytes;
}

int series_read_trace(struct series *to, const char *path)
{
	struct traced t;
	struct seen_system s = { .to = to, .t = &t, .width_ns = llround(to->width_s * 1e9) };
	int ret = traced_open(&t, path);

	if (!ret)
		ret = traced_each(&t, scan_access, NULL, &s);
	if (!ret && s.last_ns <= t.in.begin_ns)
		ret = error(-ENODATA, "there are no reads and writes in '%s'", path);
	if (!ret)
		ret = make_intervals(&s, path);
	if (!ret)
		ret = traced_each(&t, count_access, NULL, &s);
	for (int layer = 0; layer < LAYERS; layer++)
		free(s.groups[layer]);
	traced_close(&t);
	ret = ret ?: series_finish(to, path);
	/* The width that series_finish() computes from times has an error of up to 0.2 us, because
	 * they are seconds since 1970 in a double. Here, the exact width is known. */
	if (!ret)
		to->width_s = s.width_ns / 1e9;
	return ret;
}
