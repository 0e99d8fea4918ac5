// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes T, the length of the union of intervals that were added in any order. A struct cover has
 * the union as a list of parts: busy intervals, in order and without overlaps. For the time before
 * cover.before_ns, it has only the length of the union. */
#include "user/metric/span.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

void cover_release(struct cover *c)
{
	free(c->parts);
	*c = (struct cover){};
}

/* Returns the index of the first part (busy interval) of @c that ends at @ns or later. Searches
 * from the end of the list, because the result is usually near the end. */
static u32 find_part(const struct cover *c, u64 ns)
{
	u32 low = c->first, high = c->n, step = 1;

	while (high > low) {
		u32 at = step < high - low ? high - step : low;

		if (c->parts[at].end_ns < ns) {
			low = at + 1;
			break;
		}
		high = at;
		step *= 2;
	}
	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (c->parts[middle].end_ns < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Makes room for one more part (busy interval) at the end of the array. If cover_settle() has freed
 * at least the first half of the array, moves the parts to its start. Otherwise allocates more
 * memory. */
static void make_room(struct cover *c)
{
	u32 held = c->n - c->first;

	if (c->n < c->room)
		return;
	if (2 * held > c->room || !c->room) {
		c->room = c->room ? 2 * c->room : 64;
		c->parts = need(reallocarray(c->parts, c->room, sizeof(*c->parts)));
		return;
	}
	memmove(c->parts, c->parts + c->first, held * sizeof(*c->parts));
	c->first = 0;
	c->n = held;
}

static void insert_part(struct cover *c, u32 at, u64 start_ns, u64 end_ns)
{
	u32 after = c->n - at;

	make_room(c);
	at = c->n - after;
	memmove(&c->parts[at + 1], &c->parts[at], after * sizeof(*c->parts));
	c->parts[at] = (struct part){ start_ns, end_ns };
	c->n++;
}

void cover_add_anywhere(struct cover *c, u64 start_ns, u64 end_ns)
{
	u32 at, next;

	if (start_ns < end_ns && start_ns < c->before_ns) {
		c->late++;
		start_ns = c->before_ns;
	}
	if (start_ns >= end_ns)
		return;
	at = find_part(c, start_ns);
	if (at == c->n || c->parts[at].start_ns > end_ns) {
		insert_part(c, at, start_ns, end_ns);
		return;
	}
	/* Joins the new interval with all parts that it overlaps or touches. */
	for (next = at; next < c->n && c->parts[next].start_ns <= end_ns; next++)
		;
	if (start_ns < c->parts[at].start_ns)
		c->parts[at].start_ns = start_ns;
	if (end_ns < c->parts[next - 1].end_ns)
		end_ns = c->parts[next - 1].end_ns;
	c->parts[at].end_ns = end_ns;
	memmove(&c->parts[at + 1], &c->parts[next], (c->n - next) * sizeof(*c->parts));
	c->n -= next - at - 1;
}

void cover_settle(struct cover *c, u64 before_ns, cover_part_fn *fn, void *arg)
{
	if (before_ns <= c->before_ns)
		return;
	c->before_ns = before_ns;
	while (c->first < c->n && c->parts[c->first].start_ns < before_ns) {
		struct part *p = &c->parts[c->first];
		u64 start_ns = p->start_ns, end_ns = p->end_ns;

		if (end_ns > before_ns)
			p->start_ns = end_ns = before_ns;
		else
			c->first++;
		c->settled_ns += end_ns - start_ns;
		if (fn)
			fn(arg, start_ns, end_ns);
		if (end_ns == before_ns)
			break;
	}
}

u64 cover_total_ns(const struct cover *c)
{
	u64 sum = c->settled_ns;

	for (u32 i = c->first; i < c->n; i++)
		sum += c->parts[i].end_ns - c->parts[i].start_ns;
	return sum;
}

void parts_release(struct parts *l)
{
	free(l->at);
	*l = (struct parts){};
}

static void reserve_parts(struct parts *l, u32 n)
{
	if (n <= l->room - l->n)
		return;
	l->room = l->n + n > 2 * l->room ? l->n + n + 8 : 2 * l->room;
	l->at = need(reallocarray(l->at, l->room, sizeof(*l->at)));
}

void parts_push(struct parts *l, struct part p)
{
	reserve_parts(l, 1);
	l->at[l->n++] = p;
}

/* Appends interval @p to the array @at of @n intervals. If @p overlaps or touches the last
 * interval, extends the last interval instead. @p must not start before the last interval. Returns
 * the new number of intervals. */
static inline u32 join_part(struct part *at, u32 n, struct part p)
{
	if (n && p.start_ns <= at[n - 1].end_ns) {
		if (p.end_ns > at[n - 1].end_ns)
			at[n - 1].end_ns = p.end_ns;
		return n;
	}
	at[n] = p;
	return n + 1;
}

static int by_start(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

void parts_sort(struct parts *l)
{
	u32 n = 0;

	if (!l->n)
		return;
	qsort(l->at, l->n, sizeof(*l->at), by_start);
	for (u32 i = 0; i < l->n; i++)
		n = join_part(l->at, n, l->at[i]);
	l->n = n;
}

void parts_merge(struct parts *to, const struct parts *a, const struct parts *b)
{
	u32 i = 0, j = 0, n = 0;

	to->n = 0;
	reserve_parts(to, a->n + b->n);
	while (i < a->n && j < b->n) {
		bool first = a->at[i].start_ns <= b->at[j].start_ns;

		n = join_part(to->at, n, first ? a->at[i] : b->at[j]);
		i += first;
		j += !first;
	}
	for (; i < a->n; i++)
		n = join_part(to->at, n, a->at[i]);
	for (; j < b->n; j++)
		n = join_part(to->at, n, b->at[j]);
	to->n = n;
}

static void append_parts(struct cover *c, const struct parts *l)
{
	u32 held = c->n - c->first;

	if (c->first) {
		memmove(c->parts, c->parts + c->first, held * sizeof(*c->parts));
		c->first = 0;
		c->n = held;
	}
	if (l->n > c->room - c->n) {
		c->room = held + l->n > 2 * c->room ? held + l->n : 2 * c->room;
		c->parts = need(reallocarray(c->parts, c->room, sizeof(*c->parts)));
	}
	memcpy(c->parts + c->n, l->at, l->n * sizeof(*l->at));
	c->n += l->n;
}

void cover_add_parts(struct cover *c, const struct parts *l)
{
	struct parts tail = {}, both = {};
	u32 from = c->n;

	if (!l->n)
		return;
	if (l->at[0].start_ns < c->before_ns) {
		for (u32 i = 0; i < l->n; i++)
			cover_add(c, l->at[i].start_ns, l->at[i].end_ns);
		return;
	}
	while (from > c->first && c->parts[from - 1].end_ns >= l->at[0].start_ns)
		from--;
	if (from == c->n) {
		append_parts(c, l);
		return;
	}
	/* The last parts of the cover may overlap intervals of @l. The loop moves these parts to
	 * the list `tail`, and parts_merge() merges `tail` with @l. */
	for (u32 i = from; i < c->n; i++)
		parts_push(&tail, c->parts[i]);
	c->n = from;
	parts_merge(&both, &tail, l);
	append_parts(c, &both);
	parts_release(&tail);
	parts_release(&both);
}
