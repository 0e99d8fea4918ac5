/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Percentiles of a histogram with the buckets of bpf/buckets.h. */
#ifndef IOSPAN_HIST_H
#define IOSPAN_HIST_H

#include "bpf/buckets.h"

#define HIST_UNKNOWN_NS (~0ULL) /* in place of the longest time of a row, if it is not known */

/* Returns percentile @q (0..1), interpolated within a bucket: the error is at most 1/16 of the
 * value. @max_ns is the longest sample. NaN: no samples, or a value in the last bucket (above 2^40
 * ns) with a possible error above 1/16. */
double hist_percentile_ns(const u64 hist[HIST_BUCKETS], double q, u64 max_ns);

#endif
