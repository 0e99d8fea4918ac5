/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts accesses by end, as a trace needs. One that comes after IMPORT_ORDER others stays out of
 * order. */
#ifndef IOSPAN_IMPORT_ORDER_H
#define IOSPAN_IMPORT_ORDER_H

#include "tools/import/import.h"

struct import_order *import_order_new(void);
void import_order_free(struct import_order *q);
/* Adds @a. If IMPORT_ORDER are held already, moves the earliest to @first and returns true. */
bool import_order_add(struct import_order *q, const struct trace_access *a,
		      struct trace_access *first);
/* Moves the access with the earliest end from memory to @first. Returns false if none is left. */
bool import_order_take(struct import_order *q, struct trace_access *first);

#endif
