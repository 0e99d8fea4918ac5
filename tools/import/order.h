/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts accesses by their ends, because a trace has accesses in this order. At most IMPORT_ORDER
 * accesses are held in memory. An access that comes after more than IMPORT_ORDER accesses with
 * later ends stays out of order. */
#ifndef IOSPAN_IMPORT_ORDER_H
#define IOSPAN_IMPORT_ORDER_H

#include "tools/import/import.h"

struct import_order *import_order_new(void);
void import_order_free(struct import_order *q);
/* Adds @a to the accesses held. If IMPORT_ORDER accesses are held already, moves the held access
 * with the earliest end to @first and returns true. */
bool import_order_add(struct import_order *q, const struct trace_access *a,
		      struct trace_access *first);
/* Moves the access with the earliest end from memory to @first. Returns false if none is left. */
bool import_order_take(struct import_order *q, struct trace_access *first);

#endif
