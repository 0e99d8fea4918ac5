/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A binary heap: an array of elements. heap_kind.before() defines their order, and the element that
 * comes before all others is at index 0. */
#ifndef IOSPAN_BASE_HEAP_H
#define IOSPAN_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed struct is an empty heap. The caller frees .at. */
struct heap {
	void *at; /* the array */
	uint32_t n, room;
};

/* The elements of a heap and their order. */
struct heap_kind {
	size_t bytes; /* size of an element */
	bool (*before)(const void *a, const void *b);
};

/* Copies *@element into the heap. */
void heap_push(struct heap *h, const struct heap_kind *kind, const void *element);

/* Moves the first element to *@first. The heap must not be empty. */
void heap_pop(struct heap *h, const struct heap_kind *kind, void *first);

#endif
