/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Percentiles from the buckets of bpf/buckets.h. */
#ifndef IOSPAN_HIST_H
#define IOSPAN_HIST_H

#include "bpf/buckets.h"

/* The value below which a fraction @q (0..1) of the samples lies, interpolated within its
 * bucket and never above @max_ns. The error is at most one bucket: 1/16 of the value. NaN: there
 * are no samples, or the value lies in the last bucket, above 2^40 ns, and is not known to 1/16. */
#define HIST_UNKNOWN_NS (~0ULL) /* @max_ns, if the longest time is not known */
double hist_percentile_ns(const u64 hist[HIST_BUCKETS], double q, u64 max_ns);

#endif
