// SPDX-License-Identifier: GPL-2.0-or-later
#include "intervals.h"

#include <stdlib.h>
#include <string.h>

#include "../user/err.h"

void intervals_release(struct intervals *l)
{
	free(l->at);
	*l = (struct intervals){};
}

/* Room for @n more. */
static void reserve(struct intervals *l, size_t n)
{
	if (l->n + n <= l->room)
		return;
	l->room = l->n + n > 2 * l->room ? l->n + n + 8 : 2 * l->room;
	l->at = need(reallocarray(l->at, l->room, sizeof(*l->at)));
}

static void push(struct intervals *l, struct interval i)
{
	reserve(l, 1);
	l->at[l->n++] = i;
}

/* Behind all that begin before it, or touches them. Ends at @at + @n. */
static inline size_t join(struct interval *at, size_t n, struct interval i)
{
	if (n && i.start_ns <= at[n - 1].end_ns) {
		if (i.end_ns > at[n - 1].end_ns)
			at[n - 1].end_ns = i.end_ns;
		return n;
	}
	at[n] = i;
	return n + 1;
}

void intervals_append(struct intervals *l, struct interval i)
{
	reserve(l, 1);
	l->n = join(l->at, l->n, i);
}

void intervals_merge(struct intervals *to, const struct intervals *a,
		     const struct intervals *b)
{
	size_t i = 0, j = 0, n = 0;

	to->n = 0;
	reserve(to, a->n + b->n);
	while (i < a->n && j < b->n) {
		bool first = a->at[i].start_ns <= b->at[j].start_ns;

		n = join(to->at, n, first ? a->at[i] : b->at[j]);
		i += first;
		j += !first;
	}
	for (; i < a->n; i++)
		n = join(to->at, n, a->at[i]);
	for (; j < b->n; j++)
		n = join(to->at, n, b->at[j]);
	to->n = n;
}

/* ---- one batch ---- */

/* The last one is complete: it ends after all in the list, and swallows those that it
 * reaches. */
static void gather_close(struct gather *g)
{
	struct intervals *l = &g->list;

	if (g->last.start_ns >= g->last.end_ns)
		return;
	while (l->n && l->at[l->n - 1].end_ns >= g->last.start_ns) {
		l->n--;
		if (l->at[l->n].start_ns < g->last.start_ns)
			g->last.start_ns = l->at[l->n].start_ns;
	}
	push(l, g->last);
}

void gather_next(struct gather *g, u64 start_ns, u64 end_ns)
{
	struct interval i = { start_ns, end_ns };

	if (start_ns >= end_ns)
		return;
	if (end_ns < g->last.start_ns && g->last.start_ns < g->last.end_ns) {
		push(&g->late, i);
		return;
	}
	gather_close(g);
	g->last = i;
}

static int by_start(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

const struct intervals *gather_end(struct gather *g)
{
	struct intervals late = {}, all = {};

	gather_close(g);
	g->last = GATHER_NONE;
	if (!g->late.n)
		return &g->list;
	qsort(g->late.at, g->late.n, sizeof(*g->late.at), by_start);
	for (size_t i = 0; i < g->late.n; i++)
		intervals_append(&late, g->late.at[i]);
	intervals_merge(&all, &g->list, &late);
	intervals_release(&late);
	intervals_release(&g->list);
	g->list = all;
	g->late.n = 0;
	return &g->list;
}

void gather_begin(struct gather *g)
{
	g->last = GATHER_NONE;
	g->list.n = g->late.n = 0;
}

void gather_release(struct gather *g)
{
	intervals_release(&g->list);
	intervals_release(&g->late);
}

/* ---- all batches ---- */

/* Those at the end of @r that begin after @l does, or touch it, go to @tail. */
static void take_tail(struct running *r, const struct intervals *l, struct intervals *tail)
{
	size_t from = r->open.n;

	while (from > r->first && r->open.at[from - 1].end_ns >= l->at[0].start_ns)
		from--;
	tail->n = r->open.n - from;
	tail->at = need(malloc((tail->n + 1) * sizeof(*tail->at)));
	memcpy(tail->at, r->open.at + from, tail->n * sizeof(*tail->at));
	r->open.n = from;
}

static void append_all(struct intervals *to, const struct intervals *l)
{
	reserve(to, l->n);
	memcpy(to->at + to->n, l->at, l->n * sizeof(*l->at));
	to->n += l->n;
}

void running_add(struct running *r, const struct intervals *l)
{
	struct intervals tail = {}, both = {};

	if (!l->n)
		return;
	if (r->first == r->open.n)
		r->first = r->open.n = 0;
	if (r->open.n == 0 || r->open.at[r->open.n - 1].end_ns < l->at[0].start_ns) {
		append_all(&r->open, l);
		return;
	}
	take_tail(r, l, &tail);
	intervals_merge(&both, &tail, l);
	append_all(&r->open, &both);
	intervals_release(&tail);
	intervals_release(&both);
}

/* What was settled is dropped when it is most of the list, so that each is moved once. */
static void drop_settled(struct running *r)
{
	size_t left = r->open.n - r->first;

	if (r->first <= left)
		return;
	memmove(r->open.at, r->open.at + r->first, left * sizeof(*r->open.at));
	r->open.n = left;
	r->first = 0;
}

void running_settle(struct running *r, u64 before_ns,
		    void (*part)(void *arg, u64 start_ns, u64 end_ns), void *arg)
{
	while (r->first < r->open.n) {
		struct interval *i = &r->open.at[r->first];
		u64 end = i->end_ns < before_ns ? i->end_ns : before_ns;

		if (i->start_ns >= end)
			break;
		r->settled_ns += end - i->start_ns;
		if (part)
			part(arg, i->start_ns, end);
		i->start_ns = end;
		if (end == before_ns && i->end_ns > end)
			break;
		r->first++;
	}
	drop_settled(r);
}

void running_release(struct running *r)
{
	intervals_release(&r->open);
	r->first = 0;
}
