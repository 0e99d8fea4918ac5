/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Percentiles from the buckets of bpf/hist.h. */
#ifndef IOSPAN_HIST_H
#define IOSPAN_HIST_H

#include "../bpf/hist.h"

/* The value below which a share @q (0..1) of the samples lies, interpolated
 * within its bucket and never above @max_ns; NaN without samples. The error
 * is at most one bucket: 1/16 of the value. */
double hist_percentile_ns(const u64 hist[HIST_BUCKETS], double q, u64 max_ns);

#endif
