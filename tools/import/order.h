/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts accesses by their ends, in a window of IMPORT_ORDER accesses. */
#ifndef IOSPAN_IMPORT_ORDER_H
#define IOSPAN_IMPORT_ORDER_H

#include "tools/import/import.h"

struct import_order *import_order_new(void);
void import_order_free(struct import_order *q);
/* Adds @a to the window. If the window was full, moves the access with the earliest end to
 * @first and returns true. Otherwise returns false. */
bool import_order_add(struct import_order *q, const struct trace_access *a,
		      struct trace_access *first);
/* Moves the access with the earliest end from the window to @first. Returns false if the window
 * is empty. */
bool import_order_take(struct import_order *q, struct trace_access *first);

#endif
