/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics: one row of one table each. Text, CSV, JSON and the manual read
 * that table and nothing else knows a metric's name, unit or formula. */
#ifndef IOSPAN_METRIC_H
#define IOSPAN_METRIC_H

#include <stdbool.h>
#include "bpf/event.h"
#include "user/base/out.h"

enum exact_percentile { EXACT_P50, EXACT_P99, EXACT_P999, EXACT_MAX };

/* All that is known of one set of accesses: a layer, a device, an operation. */
struct sum {
	struct row row;
	u64 span_ns; /* T: the union, never a sum of parts' T */
	u64 elapsed_ns;
	u64 repaired_ns;     /* sum of the latencies that repaired accesses were given */
	bool has_repaired;   /* false: repaired_ns is not known */
	bool has_span;	     /* false: T and what follows from it is null */
	const double *exact; /* of enum exact_percentile; NULL: from the histogram */
};

/* Counts an access that ended after @ns; whether it failed, the caller knows. */
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

/* Adds @from to @to, all but T and elapsed, which do not add. */
void sum_add_row(struct sum *to, const struct row *from);

void sum_set_span(struct sum *to, u64 span_ns, u64 elapsed_ns);

/* Takes away what was so far, @before, from @from, T too. The longest access is then known
 * as well as the histogram tells. */
void sum_take_away(struct sum *from, const struct sum *before);

enum metric_kind {
	METRIC_COUNT, /* how many; only blocks may be a fraction */
	METRIC_BYTES, /* integer */
	METRIC_TIME,  /* ns */
	METRIC_RATE,  /* per second */
	METRIC_BYTE_RATE,
	METRIC_RATIO,
};

struct metric {
	const char *key;   /* in JSON and CSV, with its unit: "arpt_ns" */
	const char *title; /* in a text table: "ARPT" */
	enum metric_kind kind;
	const char *help;		      /* one line: what it means, source of the formula */
	double (*value)(const struct sum *s); /* NaN: undefined */
	bool extra;			      /* only in JSON, CSV: not of every text table */
	u128 (*whole)(const struct sum *s);   /* an integer, if value() is not NaN; NULL: others */
};

extern const struct metric metrics[];		    /* ends with a NULL key */
const struct metric *metric_named(const char *key); /* which there is */

/* The value of the metric with that key. */
double metric_value(const struct sum *s, const char *key);

/* Sets the metric's key in @o to its value of @s: null when it is undefined. */
void metric_json(struct out *o, const struct metric *m, const struct sum *s);

/* All metrics of @s by their keys. */
struct out *sum_json(const struct sum *s);

/* A table for people: a row per metric, a column for each of @n @sums under its title; a
 * NULL one is "-". */
void metrics_text(FILE *f, const char *const *titles, const struct sum *const *sums, int n);

/* The value as text for people, by its kind; @buf as in num.h. */
const char *metric_kind_text(char *buf, enum metric_kind kind, double v);
const char *metric_text(char *buf, const struct metric *m, const struct sum *s);

/* The same in one unit, whatever the value, for a column that programs read too: "1.250" of
 * "ms". The unit is "" where it is none. */
const char *metric_plain_text(char *buf, const struct metric *m, const struct sum *s);
/* Text for programs: see num_exact_text(); of an integer all digits. */
const char *metric_exact_text(char *buf, const struct metric *m, const struct sum *s);
const char *metric_unit(const struct metric *m);

#endif
