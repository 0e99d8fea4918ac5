// SPDX-License-Identifier: GPL-2.0-or-later
/* A heap of accesses, the one that ends first at its top; of equal ones that which came
 * first. */
#include "tools/import/order.h"

#include <stdlib.h>

#include "user/base/err.h"

struct item {
	struct trace_access a;
	u64 number;
};

struct import_order {
	u64 came;
	u32 n, room;
	struct item *items; /* from 1 on */
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

static bool before(const struct item *a, const struct item *b)
{
	if (a->a.end_ns != b->a.end_ns)
		return a->a.end_ns < b->a.end_ns;
	return a->number < b->number;
}

/* Puts @item where it belongs above the free place @i. */
static void rise(struct import_order *q, u32 i, const struct item *item)
{
	for (; i > 1 && before(item, &q->items[i / 2]); i /= 2)
		q->items[i] = q->items[i / 2];
	q->items[i] = *item;
}

int import_order_take(struct import_order *q, struct trace_access *first)
{
	struct item last;
	u32 i = 1, child;

	if (!q->n)
		return 0;
	*first = q->items[1].a;
	last = q->items[q->n--];
	while ((child = 2 * i) <= q->n) {
		if (child < q->n && before(&q->items[child + 1], &q->items[child]))
			child++;
		q->items[i] = q->items[child];
		i = child;
	}
	if (q->n)
		rise(q, i, &last);
	return 1;
}

int import_order_add(struct import_order *q, const struct trace_access *a,
		     struct trace_access *first)
{
	struct item item = { *a, q->came++ };
	int full = q->n == IMPORT_ORDER ? import_order_take(q, first) : 0;

	if (q->n == q->room) {
		q->room = q->room ? 2 * q->room : 64;
		q->items = need(reallocarray(q->items, q->room + 1, sizeof(*q->items)));
	}
	rise(q, ++q->n, &item);
	return full;
}
