/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histograms of latencies, in JSON documents and as bars. A sum has the counters and the histogram
 * of a set of accesses. A view describes how a part of a JSON document is shown (view.h). */
#ifndef IOSPAN_SHOW_HISTOGRAM_H
#define IOSPAN_SHOW_HISTOGRAM_H

#include "bpf/buckets.h"
#include "user/result/view.h"

#define KEY_HISTOGRAM "latency_histogram"

/* Returns an array of the buckets of @hist that have accesses. The caller frees it. */
struct out *histogram_json(const u64 hist[HIST_BUCKETS]);

/* A table of the latency histogram of a sum. Each row is for the latencies from one power of two to
 * the next. Its bar shows the number of accesses:
 *
 *   latency from       to  accesses
 *        65.5 us   131 us      4921  |****************************************|
 *         131 us   262 us       100  |*                                       | */
extern const struct view histogram_rows[];

/* Makes a view (view.h) that prints a section for each sum at path @p. The title of the section is
 * @name and some percentiles, which value_fill() inserts. The content is the table
 * histogram_rows. */
#define HISTOGRAM(p, name, ...) \
	VIEW(p, \
	     .title = name ": p50 {latency_p50_ns}, p90 {latency_p90_ns}, p95 {latency_p95_ns}, " \
			   "p99 {latency_p99_ns}, max {latency_max_ns}", \
	     .only_with = KEY_HISTOGRAM, .inner = histogram_rows, __VA_ARGS__)

#endif
