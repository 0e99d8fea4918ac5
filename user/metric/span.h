/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes T, the length of the union of intervals. Intervals may be added in any order; adding is
 * fastest if their ends roughly ascend. A struct cover divides time at before_ns. For the time
 * before before_ns, it keeps only the length of the union, settled_ns. For the time after
 * before_ns, it keeps parts: the busy intervals of the union, in order and without overlaps.
 *
 * settled_ns             before_ns |  ====   ==  =======
 *
 * bpf/span-word.h computes T in BPF programs while accesses start and end. */
#ifndef IOSPAN_USER_SPAN_H
#define IOSPAN_USER_SPAN_H

#include <stddef.h>
#include "bpf/types.h"

struct part {
	u64 start_ns, end_ns;
};

struct cover {
	struct part *parts; /* the elements from .first to .n - 1 are in use */
	u32 first, n, room;
	u64 before_ns;	/* before this time, only the length of the union is kept */
	u64 settled_ns; /* T of the time before before_ns */
	/* number of added intervals that started before before_ns; their time before before_ns is
	 * missing from T */
	u64 late;
};

/* Frees the memory of @c. A cover that is all zero is empty. If memory runs out, functions that add
 * to a cover end the program. */
void cover_release(struct cover *c);

/* Add the interval [@start_ns, @end_ns) to the cover. An interval that does not end after its start
 * adds nothing. */
void cover_add_anywhere(struct cover *c, u64 start_ns, u64 end_ns);
static inline void cover_add(struct cover *c, u64 start_ns, u64 end_ns)
{
	struct part *last = c->n > c->first ? &c->parts[c->n - 1] : NULL;

	if (!last || start_ns < last->start_ns || start_ns > last->end_ns)
		cover_add_anywhere(c, start_ns, end_ns);
	else if (end_ns > last->end_ns)
		last->end_ns = end_ns;
}

/* Settles the time before @before_ns: the cover keeps only the length of the union there. If an
 * interval that starts before @before_ns is added later, its time before @before_ns is ignored.
 *
 * If @fn is not NULL, calls @fn for each busy interval before @before_ns, in order. If a busy
 * interval continues after @before_ns, @fn gets only the time before @before_ns. The next call of
 * cover_settle() passes the rest to @fn. */
typedef void cover_part_fn(void *arg, u64 start_ns, u64 end_ns);
void cover_settle(struct cover *c, u64 before_ns, cover_part_fn *fn, void *arg);

/* Returns T of all intervals that were added. */
u64 cover_total_ns(const struct cover *c);

/* A list of busy intervals, in order. No two intervals overlap or touch. A list that is all zero is
 * empty. */
struct parts {
	struct part *at;
	u32 n, room;
};

void parts_release(struct parts *l);
/* parts_push() appends the interval @p to the list, even if @p starts before the last interval. The
 * caller must then call parts_sort(), which sorts the list and joins intervals that overlap or
 * touch. */
void parts_push(struct parts *l, struct part p);
void parts_sort(struct parts *l);

/* Sets @to to the union of the lists @a and @b. @to must be neither @a nor @b. */
void parts_merge(struct parts *to, const struct parts *a, const struct parts *b);

/* Adds all intervals of @l to the cover. This is faster than a cover_add() for each interval. */
void cover_add_parts(struct cover *c, const struct parts *l);

#endif
