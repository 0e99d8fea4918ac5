/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The union of the intervals of one batch, as a list. It is exact in any order, and fast if they
 * are about in the order of their ends. Late intervals are kept in a list of their own and sorted
 * once: a batch may hold the accesses of one CPU after those of another. */
#ifndef IOSPAN_GATHER_H
#define IOSPAN_GATHER_H

#include "user/metric/span.h"

struct gather {
	struct part last;  /* may still grow; empty if it ends before it starts */
	struct parts list; /* complete, before @last */
	struct parts late; /* intervals that arrived too late to join @last or @list; not sorted */
};

/* Empties it. Initialises one of zeroes. */
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

/* Returns the union, which @g owns and which is valid until gather_begin(). */
const struct parts *gather_end(struct gather *g);
void gather_release(struct gather *g);

#endif
