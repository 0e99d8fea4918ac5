/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics. Name, unit and formula of each are a row of metrics[], which all printers read. */
#ifndef IOSPAN_METRIC_H
#define IOSPAN_METRIC_H

#include <stdbool.h>
#include "bpf/event.h"
#include "user/base/out.h"

enum exact_percentile { EXACT_P50, EXACT_P99, EXACT_P999, EXACT_MAX };

/* Sums over a set of accesses, such as those of a layer, a disk or an operation. */
struct sum {
	struct row row;
	u64 span_ns; /* T: measured as a union, never a sum of the T of subsets */
	u64 elapsed_ns;
	u64 repaired_ns;     /* sum of latencies assigned to accesses with a lost completion */
	bool has_repaired;   /* false: repaired_ns is not known */
	bool has_span;	     /* false: T and the metrics computed from it are null */
	const double *exact; /* by enum exact_percentile; NULL: use the histogram */
};

/* Adds an access of @bytes with the latency @ns. The caller counts errors. */
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

/* Adds @from to @to. T and the elapsed time cannot be added: see sum_set_span(). */
void sum_add_row(struct sum *to, const struct row *from);

void sum_set_span(struct sum *to, u64 span_ns, u64 elapsed_ns);

/* Subtracts the earlier state @before from @from, T included. The longest latency is then taken
 * from the histogram. */
void sum_take_away(struct sum *from, const struct sum *before);

enum metric_kind {
	METRIC_COUNT, /* integer, except blocks */
	METRIC_BYTES, /* integer */
	METRIC_TIME,  /* ns */
	METRIC_RATE,  /* per second */
	METRIC_BYTE_RATE,
	METRIC_RATIO,
};

/* Keys of metrics that other files name. */
#define KEY_BANDWIDTH "bandwidth_bytes_per_second"
#define KEY_BUSY "busy_fraction"
#define KEY_LATENCY_MEAN "latency_mean_ns"
#define KEY_LATENCY_P99 "latency_p99_ns"
#define KEY_LATENCY_SUM "latency_sum_ns"
#define KEY_QUEUE_MEAN "queue_mean_ns"

struct metric {
	const char *key;   /* in JSON and CSV, with its unit: KEY_LATENCY_MEAN */
	const char *title; /* in a text table: "ARPT" */
	enum metric_kind kind;
	const char *help;		      /* one line: meaning, source of the formula */
	double (*value)(const struct sum *s); /* NaN: undefined */
	bool extra;			      /* in JSON and CSV, not in text tables */
	u128 (*whole)(const struct sum *s);   /* all digits of an integer metric, if value() is
					       * not NaN; NULL: no integer */
};

extern const struct metric metrics[]; /* ends with a NULL key */

/* @key must exist. */
const struct metric *metric_named(const char *key);
double metric_value(const struct sum *s, const char *key);

/* Sets the metric's key in @o to its value; null if that is undefined. */
void metric_json(struct out *o, const struct metric *m, const struct sum *s);

/* Returns an object with all metrics of @s by their keys. */
struct out *sum_json(const struct sum *s);

/* Prints a text table: a row for each metric, a column for each of the @n @sums. A NULL sum is
 * shown as "-". */
void metrics_text(FILE *f, const char *const *titles, const struct sum *const *sums, int n);

/* Format the value for people. @buf has NUM_TEXT bytes, as in num.h. */
const char *metric_kind_text(char *buf, enum metric_kind kind, double v);
const char *metric_text(char *buf, const struct metric *m, const struct sum *s);

/* Formats the value in metric_unit(), for columns that programs read too: "1.250" of "ms". */
const char *metric_plain_text(char *buf, const struct metric *m, const struct sum *s);
const char *metric_unit(const struct metric *m); /* "": none */
/* Formats the value for programs, as num_exact_text() does; an integer has all digits. */
const char *metric_exact_text(char *buf, const struct metric *m, const struct sum *s);

#endif
