/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the union of the intervals of one batch: accesses that are read from a trace together.
 * The result is exact for any order of intervals. It is fast if the intervals come roughly in the
 * order of their ends. A trace may have the accesses of one CPU after those of another CPU. Such
 * late intervals go to a list of their own, which is sorted once per batch. */
#ifndef IOSPAN_GATHER_H
#define IOSPAN_GATHER_H

#include "user/metric/span.h"

struct gather {
	struct part last;  /* the newest interval, joined with intervals that overlap it */
	struct parts list; /* union of earlier intervals; all of them end before .last ends */
	struct parts late; /* late intervals, which end before .last starts; not sorted */
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

/* Returns the union of all intervals since gather_begin(). The union belongs to @g and is valid
 * until the next gather_begin(). */
const struct parts *gather_end(struct gather *g);
void gather_release(struct gather *g);

#endif
