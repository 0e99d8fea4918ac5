/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes percentiles of a histogram that has the buckets of bpf/buckets.h. */
#ifndef IOSPAN_HIST_H
#define IOSPAN_HIST_H

#include "bpf/buckets.h"

#define HIST_UNKNOWN_NS (~0ULL) /* in place of the longest time of a row, if it is not known */

/* Returns the percentile @q (0..1): the value below which this fraction of the samples lies.
 * Interpolates within a bucket. The result is at most @max_ns, the longest sample, and its error is
 * at most the width of a bucket, 1/16 of the value. Returns NaN if there are no samples. The last
 * bucket, above 2^40 ns, has no width. For a value in it, returns NaN if the error might be larger
 * than 1/16. */
double hist_percentile_ns(const u64 hist[HIST_BUCKETS], double q, u64 max_ns);

#endif
