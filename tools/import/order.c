// SPDX-License-Identifier: GPL-2.0-or-later
/* Sorts accesses by their ends in a min-heap: the access with the earliest end is at the top.
 * Accesses with equal ends keep their order. An item of the heap is an access and its position in
 * the order of arrival. */
#include "tools/import/order.h"

#include <stdlib.h>

#include "user/base/err.h"

struct order_item {
	struct trace_access a;
	u64 number;
};

struct import_order {
	u64 added;
	u32 n, room;
	struct order_item *items; /* the heap: items[1] is its top, items[n] its last element */
};

struct import_order *import_order_new(void)
{
	return need(calloc(1, sizeof(struct import_order)));
}

void import_order_free(struct import_order *q)
{
	if (q)
		free(q->items);
	free(q);
}

static bool ends_before(const struct order_item *a, const struct order_item *b)
{
	if (a->a.end_ns != b->a.end_ns)
		return a->a.end_ns < b->a.end_ns;
	return a->number < b->number;
}

/* Inserts @item into the heap, where element @i is free. Moves ancestors that end later than @item
 * down. */
static void sift_up(struct import_order *q, u32 i, const struct order_item *item)
{
	for (; i > 1 && ends_before(item, &q->items[i / 2]); i /= 2)
		q->items[i] = q->items[i / 2];
	q->items[i] = *item;
}

bool import_order_take(struct import_order *q, struct trace_access *first)
{
	struct order_item last;
	u32 i = 1, child;

	if (!q->n)
		return false;
	*first = q->items[1].a;
	last = q->items[q->n--];
	while ((child = 2 * i) <= q->n) {
		if (child < q->n && ends_before(&q->items[child + 1], &q->items[child]))
			child++;
		q->items[i] = q->items[child];
		i = child;
	}
	if (q->n)
		sift_up(q, i, &last);
	return true;
}

bool import_order_add(struct import_order *q, const struct trace_access *a,
		      struct trace_access *first)
{
	struct order_item item = { *a, q->added++ };
	bool full = q->n == IMPORT_ORDER && import_order_take(q, first);

	if (q->n == q->room) {
		q->room = q->room ? 2 * q->room : 64;
		q->items = need(reallocarray(q->items, q->room + 1, sizeof(*q->items)));
	}
	sift_up(q, ++q->n, &item);
	return full;
}
