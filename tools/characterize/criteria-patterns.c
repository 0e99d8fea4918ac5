// SPDX-License-Identifier: GPL-2.0-or-later
/* Category 2: patterns. */
#include "tools/characterize/criteria.h"

static double size_mean(character *c, enum direction d, u32 t)
{
	return per(criteria_bytes(c, d, t), criteria_operations(c, d, t));
}

static const struct sizes *sizes_of(character *c, enum direction d)
{
	return c->requests && c->requests->sizes[d].requests ? &c->requests->sizes[d] : NULL;
}

static u128 whole_least(character *c, enum direction d)
{
	return sizes_of(c, d)->least;
}

static double size_least(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) ? sizes_of(c, d)->least : NAN;
}

static u128 whole_most(character *c, enum direction d)
{
	return sizes_of(c, d)->most;
}

static double size_most(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) ? sizes_of(c, d)->most : NAN;
}

static double small(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) ? per(sizes_of(c, d)->small, sizes_of(c, d)->requests) : NAN;
}

static double small_bytes(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) ? per(sizes_of(c, d)->small_bytes, sizes_of(c, d)->bytes) : NAN;
}

static const char *size_word(character *c, enum direction d)
{
	return sizes_of(c, d) ? sizes_word(sizes_of(c, d)) : NULL;
}

static u128 whole_commonest(character *c, enum direction d)
{
	struct counted top;

	return census_top(&sizes_of(c, d)->census, &top, 1) ? top.value : 0;
}

static double size_commonest(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) && sizes_of(c, d)->census.values.n ? whole_commonest(c, d) : NAN;
}

static double size_commonest_share(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) ? sizes_commonest_share(sizes_of(c, d)) : NAN;
}

static double size_values(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) ? sizes_of(c, d)->census.values.n : NAN;
}

static double share_operations(character *c, enum direction d, u32 t)
{
	return per(criteria_operations(c, d, t), criteria_operations(c, DIR_BOTH, t));
}

static double share_bytes(character *c, enum direction d, u32 t)
{
	return per(criteria_bytes(c, d, t), criteria_bytes(c, DIR_BOTH, t));
}

static const char *dominating_operation(character *c, enum direction d)
{
	const struct moved *all = &c->course.total;

	return d == DIR_BOTH ? dominating(all->of[COUNTER_READS], all->of[COUNTER_WRITES]) : NULL;
}

static const char *dominating_bytes(character *c, enum direction d)
{
	const struct moved *all = &c->course.total;

	return d == DIR_BOTH ?
		dominating(all->of[COUNTER_READ_BYTES], all->of[COUNTER_WRITE_BYTES]) :
		NULL;
}

static u64 get_local(const struct shared *s, enum direction d)
{
	return s->local;
}

static u64 get_shared(const struct shared *s, enum direction d)
{
	return s->shared;
}

static double files_local(character *c, enum direction d, u32 t)
{
	return d == DIR_BOTH ? criteria_of_files(c, get_local, d) : NAN;
}

static double files_shared(character *c, enum direction d, u32 t)
{
	return d == DIR_BOTH ? criteria_of_files(c, get_shared, d) : NAN;
}

static double shared_operations(character *c, enum direction d, u32 t)
{
	struct shared s = c->requests ? sharing_sum(&c->requests->sharing) : (struct shared){};

	return d == DIR_BOTH ? per(s.shared_requests, s.requests) : NAN;
}

static double shared_bytes(character *c, enum direction d, u32 t)
{
	struct shared s = c->requests ? sharing_sum(&c->requests->sharing) : (struct shared){};

	return d == DIR_BOTH ? per(s.shared_bytes, s.bytes) : NAN;
}

static double sequential(character *c, enum direction d, u32 t)
{
	return c->requests ? steps_share(&c->requests->steps, d, STEP_SEQUENTIAL) : NAN;
}

static double strided(character *c, enum direction d, u32 t)
{
	return c->requests ? steps_share(&c->requests->steps, d, STEP_STRIDED) : NAN;
}

static double random_steps(character *c, enum direction d, u32 t)
{
	return c->requests ? steps_share(&c->requests->steps, d, STEP_RANDOM) : NAN;
}

/* Backwards it is below 0. */
static double stride(character *c, enum direction d, u32 t)
{
	struct counted top;

	if (!c->requests || d == DIR_BOTH || !census_top(&c->requests->steps.strides[d], &top, 1))
		return NAN;
	return (s64)top.value;
}

static const char *pattern_word(character *c, enum direction d)
{
	return c->requests ? steps_word(&c->requests->steps, d) : NULL;
}

static double quarter(character *c, enum direction d, int i)
{
	return per(c->course.quarters[d][i], criteria_bytes(c, d, 0));
}

static double quarter_1(character *c, enum direction d, u32 t)
{
	return quarter(c, d, 0);
}

static double quarter_2(character *c, enum direction d, u32 t)
{
	return quarter(c, d, 1);
}

static double quarter_3(character *c, enum direction d, u32 t)
{
	return quarter(c, d, 2);
}

static double quarter_4(character *c, enum direction d, u32 t)
{
	return quarter(c, d, 3);
}

static double in_ns(character *c, u32 intervals)
{
	return intervals ? (double)intervals * c->counters.interval_ns : NAN;
}

static double half_time(character *c, enum direction d, u32 t)
{
	return in_ns(c, c->course.half[d]);
}

static double burstiness(character *c, enum direction d, u32 t)
{
	return c->course.phases[t][d].rho;
}

static double run_io(character *c, enum direction d, u32 t)
{
	return c->course.phases[t][d].l_io;
}

static double run_idle(character *c, enum direction d, u32 t)
{
	return c->course.phases[t][d].l_idle;
}

static double period(character *c, enum direction d, u32 t)
{
	return in_ns(c, c->course.rhythm[d].period);
}

static double period_strength(character *c, enum direction d, u32 t)
{
	return c->course.rhythm[d].strength;
}

static double turns_period(character *c, enum direction d, u32 t)
{
	return d == DIR_BOTH ? in_ns(c, c->course.turns.period) : NAN;
}

static double turns_strength(character *c, enum direction d, u32 t)
{
	return d == DIR_BOTH ? c->course.turns.strength : NAN;
}

static double turns_changes(character *c, enum direction d, u32 t)
{
	return d == DIR_BOTH ? c->course.changes : NAN;
}

const struct criterion criteria_patterns[] = {
	ROW("2.1", "size_mean_bytes", "mean size", METRIC_BYTES, size_mean),
	WHOLE("2.1", "size_min_bytes", "least size", METRIC_BYTES, size_least, whole_least),
	WHOLE("2.1", "size_max_bytes", "greatest size", METRIC_BYTES, size_most, whole_most),
	ROW("2.2", "small", "small requests", METRIC_RATIO, small),
	ROW("2.2", "small_bytes", "bytes of small requests", METRIC_RATIO, small_bytes),
	WORD("2.3", "size_kind", "sizes are", size_word),
	ROW("2.3", "sizes", "different sizes", METRIC_COUNT, size_values),
	WHOLE("2.3", "common_size_bytes", "commonest size", METRIC_BYTES, size_commonest,
	      whole_commonest),
	ROW("2.3", "common_size", "requests of it", METRIC_RATIO, size_commonest_share),
	ROW("2.4", "share_operations", "share of operations", METRIC_RATIO, share_operations),
	ROW("2.4", "share_bytes", "share of bytes", METRIC_RATIO, share_bytes),
	WORD("2.5", "dominating_operations", "dominating, by operations", dominating_operation),
	WORD("2.5", "dominating_bytes", "dominating, by bytes", dominating_bytes),
	ROW("2.6", "files_local", "files of one process", METRIC_COUNT, files_local),
	ROW("2.6", "files_shared", "files of several processes", METRIC_COUNT, files_shared),
	ROW("2.6", "shared_operations", "operations on those", METRIC_RATIO, shared_operations),
	ROW("2.6", "shared_bytes", "bytes of those", METRIC_RATIO, shared_bytes),
	WORD("2.7", "pattern", "pattern", pattern_word),
	ROW("2.7", "sequential", "sequential", METRIC_RATIO, sequential),
	ROW("2.7", "strided", "strided", METRIC_RATIO, strided),
	ROW("2.7", "random", "random", METRIC_RATIO, random_steps),
	ROW("2.7", "stride_bytes", "commonest stride", METRIC_BYTES, stride),
	ROW("2.8", "quarter_1", "bytes, first quarter of the time", METRIC_RATIO, quarter_1),
	ROW("2.8", "quarter_2", "bytes, second quarter", METRIC_RATIO, quarter_2),
	ROW("2.8", "quarter_3", "bytes, third quarter", METRIC_RATIO, quarter_3),
	ROW("2.8", "quarter_4", "bytes, last quarter", METRIC_RATIO, quarter_4),
	ROW("2.8", "half_ns", "half of the bytes after", METRIC_TIME, half_time),
	EACH_SHARE("2.9", "rho", "burstiness rho", burstiness),
	EACH("2.9", "l_io", "l_IO, intervals", run_io),
	EACH("2.9", "l_no_io", "l_noIO, intervals", run_idle),
	ROW("2.10", "period_ns", "bytes repeat after", METRIC_TIME, period),
	ROW("2.10", "period_correlation", "correlation then", METRIC_RATIO, period_strength),
	ROW("2.11", "dominating_period_ns", "dominating operation repeats after", METRIC_TIME,
	    turns_period),
	ROW("2.11", "dominating_correlation", "correlation then", METRIC_RATIO, turns_strength),
	ROW("2.11", "dominating_changes", "changes of it", METRIC_COUNT, turns_changes),
	LAST,
};
