/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The union of the intervals of one batch, as a list: exact in any order, fast when they come
 * about in the order of their ends. What comes late is put aside and sorted once: that of
 * several CPUs may be in one batch, one CPU's after another's. */
#ifndef IOSPAN_GATHER_H
#define IOSPAN_GATHER_H

#include "user/metric/span.h"

struct gather {
	struct part last;  /* may still grow; empty when it ends before it starts */
	struct parts list; /* before that */
	struct parts late; /* came after later ones, in no order */
};

/* Forgets what was added. */
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

/* The union of what was added; the gatherer's own, until gather_begin(). */
const struct parts *gather_end(struct gather *g);
void gather_release(struct gather *g);

#endif
