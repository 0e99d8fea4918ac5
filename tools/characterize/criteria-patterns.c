// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the criteria of category 2 of El Sayed and others 2016: I/O patterns, such as request
 * sizes, strides and burstiness. */
#include "tools/characterize/criteria.h"

static double value_size_mean(character *c, enum direction d, u32 t)
{
	return criteria_ratio(criteria_bytes(c, d, t), criteria_operations(c, d, t));
}

static const struct sizes *sizes_of(character *c, enum direction d)
{
	return c->requests && c->requests->sizes[d].requests ? &c->requests->sizes[d] : NULL;
}

/* Returns the field of struct sizes at offset @member. */
static u128 whole_size(character *c, enum direction d, u32 member)
{
	return *(const u64 *)((const char *)sizes_of(c, d) + member);
}

static double value_size(character *c, enum direction d, u32 member)
{
	return sizes_of(c, d) ? whole_size(c, d, member) : NAN;
}

static double value_small(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) ? criteria_ratio(sizes_of(c, d)->small, sizes_of(c, d)->requests) :
				NAN;
}

static double value_small_bytes(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) ? criteria_ratio(sizes_of(c, d)->small_bytes, sizes_of(c, d)->bytes) :
				NAN;
}

static const char *word_size_kind(character *c, enum direction d)
{
	return sizes_of(c, d) ? sizes_word(sizes_of(c, d)) : NULL;
}

static u128 whole_size_commonest(character *c, enum direction d, u32 i)
{
	struct counted top;

	return census_top(&sizes_of(c, d)->census, &top, 1) ? top.value : 0;
}

static double value_size_commonest(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) && sizes_of(c, d)->census.values.n ? whole_size_commonest(c, d, t) :
								   NAN;
}

static double value_size_commonest_share(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) ? sizes_commonest_fraction(sizes_of(c, d)) : NAN;
}

static double value_size_values(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) ? sizes_of(c, d)->census.values.n : NAN;
}

static double value_share_operations(character *c, enum direction d, u32 t)
{
	return criteria_ratio(criteria_operations(c, d, t), criteria_operations(c, DIR_BOTH, t));
}

static double value_share_bytes(character *c, enum direction d, u32 t)
{
	return criteria_ratio(criteria_bytes(c, d, t), criteria_bytes(c, DIR_BOTH, t));
}

static const char *word_dominating_operations(character *c, enum direction d)
{
	const struct moved *all = &c->course.total;

	return d == DIR_BOTH ?
		character_dominating(all->of[COUNTER_READS], all->of[COUNTER_WRITES]) :
		NULL;
}

static const char *word_dominating_bytes(character *c, enum direction d)
{
	const struct moved *all = &c->course.total;

	return d == DIR_BOTH ?
		character_dominating(all->of[COUNTER_READ_BYTES], all->of[COUNTER_WRITE_BYTES]) :
		NULL;
}

static double value_shared_operations(character *c, enum direction d, u32 t)
{
	struct shared s = criteria_shared(c);

	return d == DIR_BOTH ? criteria_ratio(s.shared_requests, s.requests) : NAN;
}

static double value_shared_bytes(character *c, enum direction d, u32 t)
{
	struct shared s = criteria_shared(c);

	return d == DIR_BOTH ? criteria_ratio(s.shared_bytes, s.bytes) : NAN;
}

static double value_step(character *c, enum direction d, u32 kind)
{
	return c->requests ? steps_fraction(&c->requests->steps, d, kind) : NAN;
}

/* Returns the most common stride: the distance in bytes between the starts of successive requests
 * of a walk (see steps.h). A stride towards lower offsets is negative. */
static double value_stride(character *c, enum direction d, u32 t)
{
	struct counted top;

	if (!c->requests || d == DIR_BOTH || !census_top(&c->requests->steps.strides[d], &top, 1))
		return NAN;
	return (s64)top.value;
}

static const char *word_pattern(character *c, enum direction d)
{
	return c->requests ? steps_word(&c->requests->steps, d) : NULL;
}

static double value_quarter(character *c, enum direction d, u32 i)
{
	return criteria_ratio(c->course.quarters[d][i], criteria_bytes(c, d, 0));
}

static double intervals_ns(character *c, u32 intervals)
{
	return intervals ? (double)intervals * c->counters.interval_ns : NAN;
}

static double value_half_time(character *c, enum direction d, u32 t)
{
	double end = intervals_ns(c, c->course.half[d]);

	/* the observation may end within the last interval */
	return end > c->elapsed_ns ? c->elapsed_ns : end;
}

static double value_burstiness(character *c, enum direction d, u32 t)
{
	return burst_rho(&c->course.bursts[t][d]);
}

static double value_run_io(character *c, enum direction d, u32 t)
{
	return burst_io_length(&c->course.bursts[t][d]);
}

static double value_run_idle(character *c, enum direction d, u32 t)
{
	return burst_idle_length(&c->course.bursts[t][d]);
}

static double busy_period_ns(character *c, enum direction d, u32 t)
{
	return c->requests ? criteria_ratio(criteria_span_ns(c, d), c->requests->periods[d].n) :
			     NAN;
}

static double idle_period_ns(character *c, enum direction d, u32 t)
{
	u64 begin_ns = c->counters.start_ns, end_ns = begin_ns + c->elapsed_ns;
	const struct periods *p;
	double idle_ns;

	if (!c->requests)
		return NAN;
	p = &c->requests->periods[d];
	idle_ns = c->elapsed_ns - criteria_span_ns(c, d);
	return p->n ? criteria_ratio(idle_ns,
				     p->n - 1 + (p->first_ns > begin_ns) + (p->last_ns < end_ns)) :
		      idle_ns;
}

/* Returns the burstiness rho (burst.h), computed from the exact lengths of busy and idle periods.
 * So it does not depend on the interval length or on --threshold. */
static double value_exact(character *c, enum direction d, u32 t)
{
	double idle_ns = idle_period_ns(c, d, t);

	if (!c->requests)
		return NAN;
	if (!c->requests->periods[d].n)
		return 1;
	return idle_ns > 0 ? 1 - tanh(busy_period_ns(c, d, t) / idle_ns) : 0;
}

static double value_period(character *c, enum direction d, u32 t)
{
	return intervals_ns(c, c->course.rhythm[d].period);
}

static double value_period_strength(character *c, enum direction d, u32 t)
{
	return c->course.rhythm[d].strength;
}

static double value_dominance_period(character *c, enum direction d, u32 t)
{
	return d == DIR_BOTH ? intervals_ns(c, c->course.dominance.period) : NAN;
}

static double value_dominance_strength(character *c, enum direction d, u32 t)
{
	return d == DIR_BOTH ? c->course.dominance.strength : NAN;
}

static double value_dominance_changes(character *c, enum direction d, u32 t)
{
	return d == DIR_BOTH ? c->course.dominance_changes : NAN;
}

const struct criterion criteria_patterns[] = {
	ROW("2.1", "size_mean_bytes", "mean size", METRIC_BYTES, value_size_mean),
	ROW("2.1", "size_min_bytes", "smallest size", METRIC_BYTES, value_size, .whole = whole_size,
	    .of = offsetof(struct sizes, least)),
	ROW("2.1", "size_max_bytes", "largest size", METRIC_BYTES, value_size, .whole = whole_size,
	    .of = offsetof(struct sizes, most)),
	ROW("2.2", "small_requests_fraction", "small requests", METRIC_RATIO, value_small),
	ROW("2.2", "small_bytes_fraction", "bytes of small requests", METRIC_RATIO,
	    value_small_bytes),
	WORD("2.3", "size_kind", "request size", word_size_kind),
	ROW("2.3", "distinct_sizes", "distinct sizes", METRIC_COUNT, value_size_values),
	ROW("2.3", "common_size_bytes", "most common size", METRIC_BYTES, value_size_commonest,
	    .whole = whole_size_commonest),
	ROW("2.3", "common_size_fraction", "requests of that size", METRIC_RATIO,
	    value_size_commonest_share),
	ROW("2.4", "operations_fraction", "fraction of operations", METRIC_RATIO,
	    value_share_operations),
	ROW("2.4", "bytes_fraction", "fraction of bytes", METRIC_RATIO, value_share_bytes),
	WORD("2.5", "dominating_operations", "dominating operation, by count",
	     word_dominating_operations),
	WORD("2.5", "dominating_bytes", "dominating operation, by bytes", word_dominating_bytes),
	ROW("2.6", "files_local", "files used by one process", METRIC_COUNT, criteria_files_of,
	    .of = offsetof(struct shared, local)),
	ROW("2.6", "files_shared", "files shared by processes", METRIC_COUNT, criteria_files_of,
	    .of = offsetof(struct shared, shared)),
	ROW("2.6", "shared_operations_fraction", "operations on shared files", METRIC_RATIO,
	    value_shared_operations),
	ROW("2.6", "shared_bytes_fraction", "bytes of shared files", METRIC_RATIO,
	    value_shared_bytes),
	WORD("2.7", "pattern", "pattern", word_pattern),
	ROW("2.7", "sequential_fraction", "sequential", METRIC_RATIO, value_step,
	    .of = STEP_SEQUENTIAL),
	ROW("2.7", "strided_fraction", "strided", METRIC_RATIO, value_step, .of = STEP_STRIDED),
	ROW("2.7", "random_fraction", "random", METRIC_RATIO, value_step, .of = STEP_RANDOM),
	ROW("2.7", "stride_bytes", "most common stride", METRIC_BYTES, value_stride),
	ROW("2.8", "quarter_1_bytes_fraction", "bytes in the first quarter of the time",
	    METRIC_RATIO, value_quarter, .of = 0),
	ROW("2.8", "quarter_2_bytes_fraction", "bytes in the second quarter", METRIC_RATIO,
	    value_quarter, .of = 1),
	ROW("2.8", "quarter_3_bytes_fraction", "bytes in the third quarter", METRIC_RATIO,
	    value_quarter, .of = 2),
	ROW("2.8", "quarter_4_bytes_fraction", "bytes in the last quarter", METRIC_RATIO,
	    value_quarter, .of = 3),
	ROW("2.8", "half_ns", "time until half of the bytes", METRIC_TIME, value_half_time),
	ROW("2.9", "rho", "burstiness rho", METRIC_RATIO, value_burstiness, .by_threshold = true,
	    .is_fraction = true),
	ROW("2.9", "io_run_intervals", "l_IO, intervals", METRIC_RATIO, value_run_io,
	    .by_threshold = true),
	ROW("2.9", "idle_run_intervals", "l_noIO, intervals", METRIC_RATIO, value_run_idle,
	    .by_threshold = true),
	ROW("2.9", "rho_exact", "burstiness rho, of exact periods", METRIC_RATIO, value_exact),
	ROW("2.9", "busy_period_mean_ns", "mean busy period", METRIC_TIME, busy_period_ns),
	ROW("2.9", "idle_period_mean_ns", "mean idle period", METRIC_TIME, idle_period_ns),
	ROW("2.10", "period_ns", "period of the bytes", METRIC_TIME, value_period),
	ROW("2.10", "period_correlation", "correlation at that period", METRIC_RATIO,
	    value_period_strength),
	ROW("2.11", "dominating_period_ns", "period of the dominating operation", METRIC_TIME,
	    value_dominance_period),
	ROW("2.11", "dominating_correlation", "correlation at that period", METRIC_RATIO,
	    value_dominance_strength),
	ROW("2.11", "dominating_changes", "changes of the dominating operation", METRIC_COUNT,
	    value_dominance_changes),
	{},
};
