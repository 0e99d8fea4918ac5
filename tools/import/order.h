/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_IMPORT_ORDER_H
#define IOSPAN_IMPORT_ORDER_H

#include "tools/import/import.h"

struct import_order *import_order_new(void);
void import_order_free(struct import_order *q);
/* Takes @a; when full, the one that ends first comes out to @first: 1, else 0. */
int import_order_add(struct import_order *q, const struct trace_access *a,
		     struct trace_access *first);
/* The one that ends first, of those that are left: 1; none: 0. */
int import_order_take(struct import_order *q, struct trace_access *first);

#endif
