/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Name, unit and formula of each metric, for all printers. */
#ifndef IOSPAN_METRIC_H
#define IOSPAN_METRIC_H

#include <stdbool.h>
#include "bpf/event.h"
#include "user/base/out.h"

enum exact_percentile { EXACT_P50, EXACT_P90, EXACT_P95, EXACT_P99, EXACT_P999, EXACT_MAX };

/* Sums over a set of accesses. */
struct sum {
	struct row row;
	u64 span_ns; /* T, measured as a union, never a sum of T of subsets */
	u64 elapsed_ns;
	/* latencies that lost_end_ns() has estimated */
	u64 repaired_ns;
	bool has_repaired; /* false: repaired_ns is unknown */
	bool has_span;	   /* false: T and metrics from it are null */
	/* percentiles by enum exact_percentile; NULL: from the histogram */
	const double *exact;
};

/* Adds an access. The caller counts row->errors. */
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

/* Adds @from to @to. T and elapsed time cannot be added: see sum_set_span(). */
void sum_add_row(struct sum *to, const struct row *from);

void sum_set_span(struct sum *to, u64 span_ns, u64 elapsed_ns);

/* Subtracts @before, an earlier state, with T. The longest latency becomes the upper limit of the
 * highest bucket in use. */
void sum_take_away(struct sum *from, const struct sum *before);

enum metric_kind {
	METRIC_COUNT, /* integer, except "blocks" */
	METRIC_BYTES,
	METRIC_TIME, /* ns */
	METRIC_RATE, /* per second */
	METRIC_BYTE_RATE,
	METRIC_RATIO,
};

/* keys that other files use */
#define KEY_BANDWIDTH "bandwidth_bytes_per_second"
#define KEY_BUSY "busy_fraction"
#define KEY_LATENCY_MEAN "latency_mean_ns"
#define KEY_LATENCY_P99 "latency_p99_ns"
#define KEY_LATENCY_SUM "latency_sum_ns"
#define KEY_QUEUE_MEAN "queue_mean_ns"

struct metric {
	const char *key;   /* in JSON and CSV, with the unit: "latency_mean_ns" */
	const char *title; /* in a table: "ARPT" */
	enum metric_kind kind;
	const char *help;		      /* meaning, and source of the formula, in one line */
	double (*value)(const struct sum *s); /* NaN: undefined */
	/* All digits of an integer metric, if value() is not NaN; NULL: no integer. */
	u128 (*whole)(const struct sum *s);
};

extern const struct metric metrics[]; /* ends with a NULL key */

/* @key must exist */
const struct metric *metric_named(const char *key);
double metric_value(const struct sum *s, const char *key);

/* Sets @m's key in @o to its value, or null if undefined. */
void metric_json(struct out *o, const struct metric *m, const struct sum *s);

/* All metrics of @s by key. */
struct out *sum_json(const struct sum *s);

/* For people; @buf has NUM_TEXT bytes (num.h). */
const char *metric_text(char *buf, const struct metric *m, const struct sum *s);

/* Without the unit, metric_unit(): 1.25 ms as "1.250". For columns that programs also read. */
const char *metric_plain_text(char *buf, const struct metric *m, const struct sum *s);
const char *metric_unit(const struct metric *m); /* "": none */

#endif
