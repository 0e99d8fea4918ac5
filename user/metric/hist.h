/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums and percentiles of histograms with the buckets of bpf/buckets.h. */
#ifndef IOSPAN_HIST_H
#define IOSPAN_HIST_H

#include "bpf/buckets.h"

/* value of row.max_ns (the longest latency) that means "not known" */
#define HIST_UNKNOWN_NS (~0ULL)

void hist_add(u64 to[HIST_BUCKETS], const u64 from[HIST_BUCKETS]);
void hist_take_away(u64 from[HIST_BUCKETS], const u64 before[HIST_BUCKETS]);

/* Returns percentile @q (0..1) in ns, interpolated within a bucket. @max_ns is the longest latency
 * in the histogram. If @q is so high that the percentile is the longest latency, returns @max_ns.
 *
 * The error is at most 1/16 of the percentile. If the error could be larger, returns NaN; this is
 * possible only above 2^40 ns. Also returns NaN if the histogram is empty. */
double hist_percentile_ns(const u64 hist[HIST_BUCKETS], double q, u64 max_ns);

#endif
