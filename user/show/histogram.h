/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histograms of latencies, in JSON documents and as bars. */
#ifndef IOSPAN_SHOW_HISTOGRAM_H
#define IOSPAN_SHOW_HISTOGRAM_H

#include "bpf/buckets.h"
#include "user/base/out.h"

#define KEY_HISTOGRAM "latency_histogram"

/* Returns an array of the buckets of @hist that have accesses. The caller frees it. */
struct out *histogram_json(const u64 hist[HIST_BUCKETS]);

/* Prints the histograms in @doc, which has the members of show_numbers_json(). A row is a power of
 * two:
 *
 *   device vda: read: 5021 accesses, p50 83.2 us, p90 92 us, p95 99 us, p99 151 us, max 2.10 ms
 *   65.5 us .. 131 us         4921  |****************************************|
 *   131 us .. 262 us          100  |*                                       | */
void histograms_text(FILE *f, const struct out *doc);

#endif
