/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics, with their names, units and formulas. All code that prints results uses this list. T
 * is the time with at least one access in flight. W is the time with at least one read, write, sync
 * or device flush in flight. */
#ifndef IOSPAN_METRIC_H
#define IOSPAN_METRIC_H

#include <stdbool.h>
#include "bpf/event.h"
#include "user/base/out.h"

enum exact_percentile { EXACT_P50, EXACT_P90, EXACT_P95, EXACT_P99, EXACT_P999, EXACT_MAX };

/* Sums over a set of accesses, such as the accesses of a layer, a disk or an operation. */
struct sum {
	struct row row;
	/* T in ns */
	u64 span_ns;
	u64 wait_ns; /* W in ns */
	u64 elapsed_ns;
	/* sum of the estimated latencies of accesses with a lost completion (lost_end_ns()) */
	u64 repaired_ns;
	bool has_repaired; /* false: repaired_ns is not known */
	/* false: T is unknown, so T and the metrics computed from T are null */
	bool has_span;
	bool has_wait; /* false: W is unknown, so JSON has null for it */
	/* exact percentiles, indexed by enum exact_percentile; NULL: percentiles are computed from
	 * the histogram */
	const double *exact;
};

/* Adds one access with @bytes and the latency @ns to the counters @row. Does not count an error: if
 * the access failed, the caller increments row->errors. */
static inline void row_add(struct row *row, u64 bytes, u64 ns)
{
	row->accesses++;
	row->timed++;
	row->bytes += bytes;
	row->latency_ns += ns;
	row->hist[hist_index(ns)]++;
	if (ns > row->max_ns)
		row->max_ns = ns;
}

/* Adds the counters of @from to @to. Does not change T and the elapsed time of @to; the caller sets
 * them by sum_set_span(). */
void sum_add_row(struct sum *to, const struct row *from);

void sum_set_span(struct sum *to, u64 span_ns, u64 elapsed_ns);
void sum_set_wait(struct sum *to, u64 wait_ns);

/* Subtracts @before, an earlier state of the same sum, from the counters, T and W of @from.
 *
 * The longest latency of the difference is not known exactly: it is in the highest histogram bucket
 * that still has an access. row.max_ns becomes the upper limit of this bucket, or less if more is
 * known. The last bucket has no upper limit, so row.max_ns may become HIST_UNKNOWN_NS. */
void sum_take_away(struct sum *from, const struct sum *before);

enum metric_kind {
	METRIC_COUNT, /* integer; only the metric "blocks" may have a fraction */
	METRIC_BYTES,
	METRIC_TIME,
	METRIC_RATE, /* a number per second */
	METRIC_BYTE_RATE,
	METRIC_RATIO,
};

#define BPS_BLOCK 512 /* bytes of a block, for BPS */

#define KEY_BANDWIDTH "bandwidth_bytes_per_second"
#define KEY_BUSY "busy_fraction"
#define KEY_LATENCY_MEAN "latency_mean_ns"
#define KEY_LATENCY_P99 "latency_p99_ns"
#define KEY_LATENCY_SUM "latency_sum_ns"
#define KEY_QUEUE_MEAN "queue_mean_ns"
#define KEY_WAIT "wait_span_ns"

struct metric {
	const char *key;   /* name in JSON and CSV, with the unit: "latency_mean_ns" */
	const char *title; /* name in a text table: "ARPT" */
	enum metric_kind kind;
	const char *help;
	double (*value)(const struct sum *s); /* returns NaN if the value is undefined */
	/* Returns the value of an integer metric with all digits. Call it only if .value() does not
	 * return NaN. NULL: the metric is no integer. */
	u128 (*whole)(const struct sum *s);
};

extern const struct metric metrics[]; /* the last entry has a key of NULL */

/* metric_named() returns the metric with @key. metric_value() returns the value of this metric for
 * @s. @key must be the key of a metric. */
const struct metric *metric_named(const char *key);
double metric_value(const struct sum *s, const char *key);

/* Adds metric @m of @s to the JSON object @o; the value is null if it is undefined. */
void metric_json(struct out *o, const struct metric *m, const struct sum *s);

/* Returns a JSON object with all metrics of @s by their keys. */
struct out *sum_json(const struct sum *s);
/* Returns a JSON object with the metrics @keys of @s. @keys ends with NULL. */
struct out *sum_json_of(const struct sum *s, const char *const *keys);

/* Text reports print these marks before the value of T. METRIC_ESTIMATED: completions were lost, so
 * the ends of some accesses are estimated. METRIC_SHORT: the trace lacks accesses that the kernel
 * counted. show_losses_text() or the JSON document explains each mark. */
#define METRIC_ESTIMATED "~"
#define METRIC_SHORT ">"

const char *metric_kind_text(char *buf, enum metric_kind kind, double v);
/* Formats metric @m of @s for people, with its unit. If @m is T, and T is partly estimated, puts
 * METRIC_ESTIMATED before the number. Writes to @buf of NUM_TEXT bytes (num.h), and returns
 * @buf. */
const char *metric_text(char *buf, const struct metric *m, const struct sum *s);

/* Formats the value @v of metric @m without its unit, for columns that programs also read. For
 * example, a time of 1250000 ns becomes "1.250"; metric_unit() returns the unit, "ms". Returns @buf
 * of NUM_TEXT bytes, or "-" if @v is NaN. */
const char *metric_plain_text(char *buf, const struct metric *m, double v);
const char *metric_unit(const struct metric *m); /* returns "" if the metric has no unit */

#endif
