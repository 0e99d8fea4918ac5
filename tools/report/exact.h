/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exact percentiles of latencies, in constant memory. The histogram has the bucket of each
 * percentile. A further pass over all accesses counts the values within that bucket; a wide bucket
 * takes more passes. */
#ifndef IOSPAN_EXACT_H
#define IOSPAN_EXACT_H

#include "tools/report/counts.h"

struct exact;

/* The histogram of @s must be complete. Percentile q of n latencies is that of rank ceil(q * n). */
struct exact *exact_new(const struct sum *s);
void exact_free(struct exact *e);

/* Adds a latency of the set; call it for each one in each pass. */
void exact_add(struct exact *e, u64 ns);

/* Ends a pass. Returns whether another one is needed. */
bool exact_narrow(struct exact *e);

/* Returns the values, [enum exact_percentile]; NULL if @e is NULL. */
const double *exact_result(const struct exact *e);

#endif
