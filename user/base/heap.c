// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/base/heap.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"

static void *element(const struct heap *h, const struct heap_kind *kind, uint32_t i)
{
	return (char *)h->at + i * kind->bytes;
}

void heap_push(struct heap *h, const struct heap_kind *kind, const void *new)
{
	uint32_t i = h->n++;

	if (h->n > h->room) {
		h->room = 2 * h->room + 16;
		h->at = need(reallocarray(h->at, h->room, kind->bytes));
	}
	for (; i && kind->before(new, element(h, kind, (i - 1) / 2)); i = (i - 1) / 2)
		memcpy(element(h, kind, i), element(h, kind, (i - 1) / 2), kind->bytes);
	memcpy(element(h, kind, i), new, kind->bytes);
}

void heap_pop(struct heap *h, const struct heap_kind *kind, void *first)
{
	const void *last = element(h, kind, --h->n);
	uint32_t i = 0, child;

	memcpy(first, h->at, kind->bytes);
	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n &&
		    kind->before(element(h, kind, child + 1), element(h, kind, child)))
			child++;
		if (!kind->before(element(h, kind, child), last))
			break;
		memcpy(element(h, kind, i), element(h, kind, child), kind->bytes);
		i = child;
	}
	memmove(element(h, kind, i), last, kind->bytes);
}
