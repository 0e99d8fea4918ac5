/* SPDX-License-Identifier: GPL-2.0-or-later */
/* T of intervals that come about nearly in the order of their ends: exact in any order, a
 * few ns each in that one.
 *
 *	done until before_ns |  parts: disjoint, none touches another, in order
 *	total_ns             |  ====   ==  =======
 *
 * The online union of those that begin and end now is bpf/span-word.h. */
#ifndef IOSPAN_USER_SPAN_H
#define IOSPAN_USER_SPAN_H

#include <stddef.h>
#include "bpf/types.h"

struct part {
	u64 start_ns, end_ns;
};

struct cover {
	struct part *parts; /* from first on; the last is parts[n - 1] */
	u32 first, n, room;
	u64 before_ns;	/* settled so far */
	u64 settled_ns; /* T of what was settled */
	u64 late;	/* intervals that began before, of which the rest counts */
};

/* Zeroes are an empty one. Out of memory ends the program. */
void cover_release(struct cover *c);

/* Any interval; one that does not end after its start adds nothing. */
void cover_add_anywhere(struct cover *c, u64 start_ns, u64 end_ns);
static inline void cover_add(struct cover *c, u64 start_ns, u64 end_ns)
{
	struct part *last = c->n > c->first ? &c->parts[c->n - 1] : NULL;

	if (!last || start_ns < last->start_ns || start_ns > last->end_ns)
		cover_add_anywhere(c, start_ns, end_ns);
	else if (end_ns > last->end_ns)
		last->end_ns = end_ns;
}

/* No later interval begins before @before_ns: what lies there is done with, so memory is
 * what the parts behind it take. Its parts go to @fn, in order (NULL: to nobody); one
 * that goes on is cut at @before_ns, and the next then begins there. */
typedef void cover_part_fn(void *arg, u64 start_ns, u64 end_ns);
void cover_settle(struct cover *c, u64 before_ns, cover_part_fn *fn, void *arg);

/* T of all intervals so far. */
u64 cover_total_ns(const struct cover *c);

/* ---- many at once ---- */

/* In order; none touches another. Zeroes are an empty list. */
struct parts {
	struct part *at;
	u32 n, room;
};

void parts_release(struct parts *l);
void parts_push(struct parts *l, struct part p); /* behind all others */
void parts_sort(struct parts *l);		 /* of any, makes a list as above */

/* @to becomes the union of @a and @b, two other lists. */
void parts_merge(struct parts *to, const struct parts *a, const struct parts *b);

/* All of @l, in a time that does not depend on how they lie to those that are there. */
void cover_add_parts(struct cover *c, const struct parts *l);

#endif
