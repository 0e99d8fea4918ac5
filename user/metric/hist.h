/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes percentiles of a histogram that has the buckets of bpf/buckets.h. */
#ifndef IOSPAN_HIST_H
#define IOSPAN_HIST_H

#include "bpf/buckets.h"

#define HIST_UNKNOWN_NS (~0ULL) /* value of a longest time that is not known */

/* Returns the value below which the fraction @q (0..1) of the samples lies. It is interpolated
 * within its bucket, and is at most @max_ns, the longest time. The error is at most one bucket,
 * 1/16 of the value. Returns NaN if there are no samples. Also returns NaN if the value is in the
 * last bucket, above 2^40 ns, and not known to 1/16. */
double hist_percentile_ns(const u64 hist[HIST_BUCKETS], double q, u64 max_ns);

#endif
