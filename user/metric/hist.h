/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Percentiles of a histogram with the buckets of bpf/buckets.h. */
#ifndef IOSPAN_HIST_H
#define IOSPAN_HIST_H

#include "bpf/buckets.h"

/* value of row.max_ns (the longest latency) that means "not known" */
#define HIST_UNKNOWN_NS (~0ULL)

/* Returns percentile @q (0..1) in ns, interpolated within a bucket. The error is at most 1/16 of
 * the percentile. @max_ns is the longest time in the histogram. Returns NaN if the histogram is
 * empty. Also returns NaN if the percentile is above 2^40 ns and the error could be larger than
 * 1/16. */
double hist_percentile_ns(const u64 hist[HIST_BUCKETS], double q, u64 max_ns);

#endif
