/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The union of a batch's intervals: exact in any order, fast if roughly by end. Late ones are
 * sorted once, because accesses of one CPU may follow those of another. */
#ifndef IOSPAN_GATHER_H
#define IOSPAN_GATHER_H

#include "user/metric/span.h"

struct gather {
	struct part last;
	struct parts list; /* complete intervals, all before @last */
	struct parts late; /* intervals that came too late to join @last or @list; not sorted */
};

/* Empties @g for a new batch. This also initialises a @g that is all zero. */
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

/* Returns the union. It belongs to @g and is valid until gather_begin(). */
const struct parts *gather_end(struct gather *g);
void gather_release(struct gather *g);

#endif
