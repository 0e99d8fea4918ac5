/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The union of the intervals of one batch. It is exact for any order, and fast if the intervals
 * come roughly in the order of their ends. Late intervals are kept apart and sorted once, because
 * the accesses of one CPU may follow those of another. */
#ifndef IOSPAN_GATHER_H
#define IOSPAN_GATHER_H

#include "user/metric/span.h"

struct gather {
	struct part last;
	struct parts list; /* complete intervals, all before @last */
	struct parts late; /* intervals that came too late to join @last or @list; not sorted */
};

/* Empties @g for a new batch. Also initialises a zeroed @g. */
void gather_begin(struct gather *g);

void gather_next(struct gather *g, u64 start_ns, u64 end_ns);
static inline void gather_add(struct gather *g, u64 start_ns, u64 end_ns)
{
	if (start_ns > g->last.end_ns || end_ns < g->last.start_ns) {
		gather_next(g, start_ns, end_ns);
		return;
	}
	if (start_ns < g->last.start_ns)
		g->last.start_ns = start_ns;
	if (end_ns > g->last.end_ns)
		g->last.end_ns = end_ns;
}

/* Returns the union of all intervals since gather_begin(). It belongs to @g and is valid until the
 * next gather_begin(). */
const struct parts *gather_end(struct gather *g);
void gather_release(struct gather *g);

#endif
