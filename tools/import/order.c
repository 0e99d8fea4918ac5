// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/import/order.h"

#include <stdlib.h>

#include "user/base/heap.h"
#include "user/base/need.h"

/* An access, and the number of accesses that were added before it. Accesses with equal ends keep
 * their order. */
struct order_item {
	struct trace_access a;
	u64 number;
};

struct import_order {
	u64 added;
	struct heap items; /* elements: struct order_item */
};

struct import_order *import_order_new(void)
{
	return need(calloc(1, sizeof(struct import_order)));
}

void import_order_free(struct import_order *q)
{
	if (q)
		free(q->items.at);
	free(q);
}

static bool ends_before(const void *first, const void *second)
{
	const struct order_item *a = first, *b = second;

	if (a->a.end_ns != b->a.end_ns)
		return a->a.end_ns < b->a.end_ns;
	return a->number < b->number;
}

static const struct heap_kind by_end = { sizeof(struct order_item), ends_before };

bool import_order_take(struct import_order *q, struct trace_access *first)
{
	struct order_item item;

	if (!q->items.n)
		return false;
	heap_pop(&q->items, &by_end, &item);
	*first = item.a;
	return true;
}

bool import_order_add(struct import_order *q, const struct trace_access *a,
		      struct trace_access *first)
{
	struct order_item item = { *a, q->added++ };
	bool full = q->items.n == IMPORT_ORDER && import_order_take(q, first);

	heap_push(&q->items, &by_end, &item);
	return full;
}
