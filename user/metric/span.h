/* SPDX-License-Identifier: GPL-2.0-or-later */
/* T, the length of the union of intervals. They may be added in any order; in about the order of
 * their ends, each takes a few ns.
 *
 *	settled: only the length is kept |  parts: in order; none overlaps or touches another
 *	settled_ns             before_ns |  ====   ==  =======
 *
 * The union that BPF programs compute while accesses start and end is bpf/span-word.h. */
#ifndef IOSPAN_USER_SPAN_H
#define IOSPAN_USER_SPAN_H

#include <stddef.h>
#include "bpf/types.h"

struct part {
	u64 start_ns, end_ns;
};

struct cover {
	struct part *parts; /* parts[first] to parts[n - 1] */
	u32 first, n, room;
	u64 before_ns;	/* the time before is settled */
	u64 settled_ns; /* T before before_ns */
	u64 late;	/* intervals that started before before_ns; that time was not added */
};

/* All zero is an empty cover. The program ends if memory runs out. */
void cover_release(struct cover *c);

/* Add an interval. If it does not end after its start, it adds nothing. */
void cover_add_anywhere(struct cover *c, u64 start_ns, u64 end_ns);
static inline void cover_add(struct cover *c, u64 start_ns, u64 end_ns)
{
	struct part *last = c->n > c->first ? &c->parts[c->n - 1] : NULL;

	if (!last || start_ns < last->start_ns || start_ns > last->end_ns)
		cover_add_anywhere(c, start_ns, end_ns);
	else if (end_ns > last->end_ns)
		last->end_ns = end_ns;
}

/* Settles the time before @before_ns, where no interval will start from now on, and frees its
 * parts. Calls @fn (NULL: nothing) for each of these, in order. A part that continues after
 * @before_ns is cut there, and the rest is passed later. */
typedef void cover_part_fn(void *arg, u64 start_ns, u64 end_ns);
void cover_settle(struct cover *c, u64 before_ns, cover_part_fn *fn, void *arg);

/* Returns T of all intervals added so far. */
u64 cover_total_ns(const struct cover *c);

/* ---- lists of parts ---- */

/* In order; none overlaps or touches another. All zero is an empty list. */
struct parts {
	struct part *at;
	u32 n, room;
};

void parts_release(struct parts *l);
/* Appends @p, even if the list is then not in order; parts_sort() sorts and joins the parts. */
void parts_push(struct parts *l, struct part p);
void parts_sort(struct parts *l);

/* Sets @to to the union of @a and @b, two other lists. */
void parts_merge(struct parts *to, const struct parts *a, const struct parts *b);

/* Adds all of @l to @c by merging, which is faster than cover_add() for each part. */
void cover_add_parts(struct cover *c, const struct parts *l);

#endif
