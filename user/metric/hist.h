/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Percentiles of a histogram with the buckets of bpf/buckets.h. */
#ifndef IOSPAN_HIST_H
#define IOSPAN_HIST_H

#include "bpf/buckets.h"

/* value of row.max_ns, the longest latency, if it is not known */
#define HIST_UNKNOWN_NS (~0ULL)

/* Returns percentile @q (0..1), interpolated within a bucket. Its error is at most 1/16 of the
 * value. @max_ns is the longest time in the histogram. Returns NaN if the histogram is empty, or if
 * the percentile is in the last bucket (above 2^40 ns) and might have a larger error. */
double hist_percentile_ns(const u64 hist[HIST_BUCKETS], double q, u64 max_ns);

#endif
