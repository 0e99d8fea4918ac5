/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exact percentiles of latencies, in constant memory. The histogram shows the bucket of each
 * percentile. A pass reads all accesses again, and counts the latencies within this bucket in
 * smaller steps. */
#ifndef IOSPAN_EXACT_H
#define IOSPAN_EXACT_H

#include "tools/report/counts.h"

struct exact;

/* Starts the search for the percentiles of @s, which must have the histogram of all latencies.
 * Percentile q of n latencies is the latency with rank ceil(q * n); the shortest one has rank 1. */
struct exact *exact_new(const struct sum *s);
void exact_free(struct exact *e);

/* Adds one latency of the set. In each pass, call this for all latencies of the set. */
void exact_add(struct exact *e, u64 ns);

/* Ends a pass over the accesses. Returns true if another pass is needed. */
bool exact_narrow(struct exact *e);

/* Returns the percentiles, indexed by enum exact_percentile. Returns NULL if @e is NULL. */
const double *exact_result(const struct exact *e);

#endif
