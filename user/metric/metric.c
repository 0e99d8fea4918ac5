// SPDX-License-Identifier: GPL-2.0-or-later
/* The formulas of the metrics. T is the time with at least one access in flight. BPS is the number
 * of transferred blocks of 512 bytes, divided by T. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "user/metric/hist.h"
#include "user/metric/metric.h"
#include "user/base/num.h"

#define NS_PER_S 1e9

void sum_add_row(struct sum *to, const struct row *from)
{
	struct row *row = &to->row;

	row->accesses += from->accesses;
	row->bytes += from->bytes;
	row->errors += from->errors;
	row->timed += from->timed;
	row->latency_ns += from->latency_ns;
	row->queued_ns += from->queued_ns;
	row->queued += from->queued;
	if (row->max_ns < from->max_ns)
		row->max_ns = from->max_ns;
	hist_add(row->hist, from->hist);
}

void sum_set_span(struct sum *to, u64 span_ns, u64 elapsed_ns)
{
	to->span_ns = span_ns;
	to->has_span = true;
	to->elapsed_ns = elapsed_ns;
}

void sum_set_wait(struct sum *to, u64 wait_ns)
{
	to->wait_ns = wait_ns;
	to->has_wait = true;
}

void sum_take_away(struct sum *from, const struct sum *before)
{
	const struct row *old = &before->row;
	struct row *row = &from->row;
	bool longest_is_old = row->max_ns <= old->max_ns;
	double longest;

	row->accesses -= old->accesses;
	row->bytes -= old->bytes;
	row->errors -= old->errors;
	row->timed -= old->timed;
	row->latency_ns -= old->latency_ns;
	row->queued_ns -= old->queued_ns;
	row->queued -= old->queued;
	hist_take_away(row->hist, old->hist);
	longest = hist_percentile_ns(row->hist, 1, row->max_ns);
	/* If the difference has only one access, the sum of the latencies is its exact latency. The
	 * code assumes this if the sum and the longest latency are in the same bucket. It does not
	 * look at row->accesses: this number may not fit the sum, because accesses may have ended
	 * while the counters were read. */
	if (longest > row->latency_ns && hist_index(longest) == hist_index(row->latency_ns))
		longest = row->latency_ns;
	/* The histogram may be empty although row->timed (number of accesses with a latency) is
	 * above 0. Either the counters changed while they were read, or only the sum of the
	 * latencies is known. In both cases, hist_percentile_ns() returns NaN. */
	row->max_ns = row->timed && longest > 0 ? longest : 0;
	/* The longest latency so far may belong to an access that was subtracted. Then the longest
	 * latency in the last bucket is unknown, because this bucket has no upper bound. */
	if (row->hist[HIST_BUCKETS - 1] && longest_is_old)
		row->max_ns = HIST_UNKNOWN_NS;
	from->span_ns -= before->span_ns;
	from->wait_ns -= before->wait_ns;
	from->repaired_ns -= before->repaired_ns;
}

static double per(double numerator, double denominator)
{
	return denominator > 0 ? numerator / denominator : NAN;
}

#define WHOLE(name, field) \
	static u128 whole_##name(const struct sum *s) \
	{ \
		return s->field; \
	}
WHOLE(span_ns, span_ns)
WHOLE(wait_ns, wait_ns)
WHOLE(max_ns, row.max_ns)
WHOLE(latency_ns, row.latency_ns)

/* Defines whole_NAME() and sum_NAME(), which return the counter NAME of struct row. A counter is
 * always known, so sum_NAME() never returns NaN. */
#define COUNTER(name) \
	WHOLE(name, row.name) \
	static double sum_##name(const struct sum *s) \
	{ \
		return s->row.name; \
	}
COUNTER(accesses)
COUNTER(bytes)
COUNTER(errors)
COUNTER(queued)

static double sum_span_ns(const struct sum *s)
{
	return s->has_span ? s->span_ns : NAN;
}

static double sum_wait_ns(const struct sum *s)
{
	return s->has_wait ? s->wait_ns : NAN;
}

/* Returns the fraction of T that comes from accesses with a lost completion. The ends of these
 * accesses are estimated. The fraction is an upper bound, because other accesses may have been in
 * flight at the same time. */
static double sum_span_repaired(const struct sum *s)
{
	double fraction = s->has_repaired ? per(s->repaired_ns, sum_span_ns(s)) : NAN;

	return fraction > 1 ? 1 : fraction;
}

/* Returns B, the number of transferred blocks of 512 bytes, for BPS = B / T. Adds the bytes of all
 * accesses before the division. If each access were rounded to blocks, B would depend on the sizes
 * of the accesses. */
static double sum_blocks(const struct sum *s)
{
	return (double)s->row.bytes / BPS_BLOCK;
}

static double sum_bps(const struct sum *s)
{
	return per(sum_blocks(s) * NS_PER_S, sum_span_ns(s));
}

static double sum_iops(const struct sum *s)
{
	return per(s->row.accesses * NS_PER_S, s->elapsed_ns);
}

static double sum_bandwidth(const struct sum *s)
{
	return per(s->row.bytes * NS_PER_S, s->elapsed_ns);
}

/* Returns the mean latency. An access with a lost completion has no latency, so neither the mean
 * nor the percentiles include it. */
static double sum_arpt_ns(const struct sum *s)
{
	return per(s->row.latency_ns, s->row.timed);
}

static double sum_percentile(const struct sum *s, double q, enum exact_percentile which)
{
	if (s->exact)
		return s->exact[which];
	return hist_percentile_ns(s->row.hist, q, s->row.max_ns);
}

#define PERCENTILE(name, q, which) \
	static double sum_##name##_ns(const struct sum *s) \
	{ \
		return sum_percentile(s, q, which); \
	}
PERCENTILE(p50, 0.5, EXACT_P50)
PERCENTILE(p90, 0.9, EXACT_P90)
PERCENTILE(p95, 0.95, EXACT_P95)
PERCENTILE(p99, 0.99, EXACT_P99)
PERCENTILE(p999, 0.999, EXACT_P999)

/* Returns the longest latency, or NaN if it is unknown. If row.max_ns is 0 and bucket 0 has an
 * access, the longest latency is 0 ns. If row.max_ns is 0 and bucket 0 is empty, it is unknown. */
static double sum_max_ns(const struct sum *s)
{
	bool known = s->row.max_ns != HIST_UNKNOWN_NS && (s->row.max_ns || s->row.hist[0]);

	return s->row.timed && known ? s->row.max_ns : NAN;
}

static double sum_latency_ns(const struct sum *s)
{
	return s->row.timed || !s->row.accesses ? s->row.latency_ns : NAN;
}

/* Returns the sum of the latencies, divided by T. T includes accesses with a lost completion, so
 * the sum also includes their estimated latencies (repaired_ns). */
static double sum_concurrency(const struct sum *s)
{
	return per(sum_latency_ns(s) + s->repaired_ns, sum_span_ns(s));
}

static double sum_busy(const struct sum *s)
{
	return per(sum_span_ns(s), s->elapsed_ns);
}

static double sum_queue_ns(const struct sum *s)
{
	return per(s->row.queued_ns, s->row.queued);
}

/* "paper" in these help texts is He, Sun, Yin, "BPS: a performance metric of I/O system", 2013 */
const struct metric metrics[] = {
	{ "accesses", "accesses", METRIC_COUNT,
	  "completed accesses, failed ones included (paper, section III.A)", sum_accesses,
	  whole_accesses },
	{ "bytes", "bytes", METRIC_BYTES,
	  "bytes transferred; for a failed access, the bytes requested", sum_bytes, whole_bytes },
	{ "errors", "errors", METRIC_COUNT, "failed accesses", sum_errors, whole_errors },
	{ "span_ns", "T", METRIC_TIME,
	  "time with at least one access in flight (paper, section III.A, figure 2)", sum_span_ns,
	  whole_span_ns },
	{ KEY_WAIT, "W", METRIC_TIME,
	  "time with at least one read, write, sync or device flush in flight", sum_wait_ns,
	  whole_wait_ns },
	{ "bps", "BPS", METRIC_RATE,
	  "blocks of 512 bytes per second of T: B / T (paper, equation 1)", sum_bps, NULL },
	{ "iops", "IOPS", METRIC_RATE, "accesses per second of elapsed time (paper, section II)",
	  sum_iops, NULL },
	{ KEY_BANDWIDTH, "bandwidth", METRIC_BYTE_RATE,
	  "bytes per second of elapsed time (paper, section II)", sum_bandwidth, NULL },
	{ KEY_LATENCY_MEAN, "ARPT", METRIC_TIME,
	  "mean latency (response time) of the timed accesses (paper, section II)", sum_arpt_ns,
	  NULL },
	{ "latency_p50_ns", "p50", METRIC_TIME,
	  "latency not exceeded by 50 % of the accesses, within 1/16", sum_p50_ns, NULL },
	{ "latency_p90_ns", "p90", METRIC_TIME,
	  "latency not exceeded by 90 % of the accesses, within 1/16", sum_p90_ns, NULL },
	{ "latency_p95_ns", "p95", METRIC_TIME,
	  "latency not exceeded by 95 % of the accesses, within 1/16", sum_p95_ns, NULL },
	{ KEY_LATENCY_P99, "p99", METRIC_TIME,
	  "latency not exceeded by 99 % of the accesses, within 1/16", sum_p99_ns, NULL },
	{ "latency_p999_ns", "p99.9", METRIC_TIME,
	  "latency not exceeded by 99.9 % of the accesses, within 1/16", sum_p999_ns, NULL },
	{ "latency_max_ns", "max", METRIC_TIME, "longest latency", sum_max_ns, whole_max_ns },
	{ "concurrency", "concurrency", METRIC_RATIO,
	  "mean number of accesses in flight during T: sum of latencies / T", sum_concurrency,
	  NULL },
	{ KEY_BUSY, "busy", METRIC_RATIO,
	  "fraction of the elapsed time with an access in flight: T / elapsed", sum_busy, NULL },
	{ "blocks", "blocks", METRIC_COUNT,
	  "B: sum of bytes / 512, not rounded per access (paper, section III.A)", sum_blocks,
	  NULL },
	{ KEY_LATENCY_SUM, "latency sum", METRIC_TIME, "sum of the latencies of the timed accesses",
	  sum_latency_ns, whole_latency_ns },
	{ KEY_QUEUE_MEAN, "queue", METRIC_TIME,
	  "device: mean time from insert to issue, of the queued accesses", sum_queue_ns, NULL },
	{ "queued", "queued", METRIC_COUNT, "device: accesses queued before their issue",
	  sum_queued, whole_queued },
	{ "span_repaired_fraction", "T repaired", METRIC_RATIO,
	  "device: fraction of T from lost completions, at most", sum_span_repaired, NULL },
	{ NULL, NULL, METRIC_COUNT, NULL, NULL, NULL },
};

const struct metric *metric_named(const char *key)
{
	const struct metric *m = metrics;

	/* Most keys are found by their address, without strcmp(), because the linker merges equal
	 * strings. */
	while (m->key && m->key != key)
		m++;
	if (m->key)
		return m;
	for (m = metrics; m->key && strcmp(m->key, key);)
		m++;
	return m;
}

double metric_value(const struct sum *s, const char *key)
{
	return metric_named(key)->value(s);
}

const char *metric_kind_text(char *buf, enum metric_kind kind, double v)
{
	switch (kind) {
	case METRIC_BYTES:
		return num_bytes_text(buf, v);
	case METRIC_TIME:
		return num_time_text(buf, v);
	case METRIC_BYTE_RATE:
		return num_byte_rate_text(buf, v);
	case METRIC_RATIO:
		return num_fraction_text(buf, v);
	case METRIC_COUNT:
	case METRIC_RATE:
		break;
	}
	return num_count_text(buf, v);
}

/* If @m is T, and T of @s is partly estimated, writes METRIC_ESTIMATED to @buf. Otherwise writes
 * "". Returns the end of this text, where the caller writes the number. @buf has room for both. */
static char *start_text(char *buf, const struct metric *m, const struct sum *s)
{
	bool is_marked = m->value == sum_span_ns && sum_span_repaired(s) > 0;

	strcpy(buf, is_marked ? METRIC_ESTIMATED : "");
	return buf + strlen(buf);
}

const char *metric_text(char *buf, const struct metric *m, const struct sum *s)
{
	metric_kind_text(start_text(buf, m, s), m->kind, m->value(s));
	return buf;
}

static const struct plain {
	const char *unit;
	double divisor;
	int digits;
} plain[] = {
	[METRIC_COUNT] = { "", 1, 0 },
	[METRIC_BYTES] = { "", 1, 0 },
	[METRIC_TIME] = { "ms", 1e6, 3 },
	[METRIC_RATE] = { "", 1, 1 },
	[METRIC_BYTE_RATE] = { "MiB/s", 1 << 20, 2 },
	[METRIC_RATIO] = { "", 1, 3 },
};

const char *metric_plain_text(char *buf, const struct metric *m, double v)
{
	const struct plain *how = &plain[m->kind];

	if (isnan(v))
		return "-";
	snprintf(buf, NUM_TEXT, "%.*f", how->digits, v / how->divisor);
	return buf;
}

const char *metric_unit(const struct metric *m)
{
	return plain[m->kind].unit;
}

void metric_json(struct out *o, const struct metric *m, const struct sum *s)
{
	double v = m->value(s);

	if (m->whole && !isnan(v))
		out_u128(o, m->key, m->whole(s));
	else
		out_f64(o, m->key, v);
}

struct out *sum_json(const struct sum *s)
{
	struct out *o = out_object();

	for (const struct metric *m = metrics; m->key; m++)
		metric_json(o, m, s);
	return o;
}

struct out *sum_json_of(const struct sum *s, const char *const *keys)
{
	struct out *o = out_object();

	for (; *keys; keys++)
		metric_json(o, metric_named(*keys), s);
	return o;
}
