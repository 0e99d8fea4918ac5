/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The union of intervals that come in batches: a batch is made a list first, lists become
 * one, and the list of a whole set joins what the batches before have left.
 *
 *	gather_add() ...		accesses of a batch, about in the order of their ends
 *	gather_end()			-> list
 *	intervals_merge()		list u list -> list
 *	running_add()			T of the set so far, with this list
 *	running_settle()		what no later interval can change
 *
 * Right for any order; fast when ends come in order. Intervals are [start, end), touching
 * ones join, empty ones add nothing (design, section 1). */
#ifndef IOSPAN_INTERVALS_H
#define IOSPAN_INTERVALS_H

#include <stddef.h>
#include "../bpf/types.h"

struct interval {
	u64 start_ns, end_ns;
};

/* In order; no two of them touch. */
struct intervals {
	struct interval *at;
	size_t n, room;
};

void intervals_release(struct intervals *l);
void intervals_append(struct intervals *l, struct interval i);	/* after all of @l */

/* @to becomes the union of @a and @b, which are other lists. */
void intervals_merge(struct intervals *to, const struct intervals *a,
		     const struct intervals *b);

/* ---- one batch ---- */

struct gather {
	struct interval last;		/* may still grow; empty when start > end */
	struct intervals list;		/* before that */
	struct intervals late;		/* came after later ones, in no order */
};
#define GATHER_NONE ((struct interval){ ~0ULL, 0 })

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
const struct intervals *gather_end(struct gather *g);
void gather_begin(struct gather *g);
void gather_release(struct gather *g);

/* ---- all batches ---- */

struct running {
	struct intervals open;		/* from @first on; may still change */
	size_t first;
	u64 settled_ns;			/* T of what cannot */
};

void running_add(struct running *r, const struct intervals *l);

/* No later interval begins before @before_ns: calls @part (NULL: nobody) with what is
 * certain now, in order, and forgets it. */
void running_settle(struct running *r, u64 before_ns,
		    void (*part)(void *arg, u64 start_ns, u64 end_ns), void *arg);
void running_release(struct running *r);

#endif
