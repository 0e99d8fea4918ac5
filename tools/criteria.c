// SPDX-License-Identifier: GPL-2.0-or-later
/* The 21 criteria. The paper defines 2.9 and 3.1, and what 1.1 and 1.2 count; the others
 * are names there, and are here what iospan-characterize(1) says. */
#include <math.h>

#include "character.h"

typedef const struct character character;

static double per(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* ---- 1: aggregate numbers ---- */

static double bytes(character *c, enum direction d, u32 t)
{
	return moved_bytes(&c->course.total, d);
}

static double operations(character *c, enum direction d, u32 t)
{
	return moved_operations(&c->course.total, d);
}

static double span_ns(character *c, enum direction d)
{
	return c->requests ? cover_total_ns(&c->requests->busy[d]) : NAN;
}

static double bandwidth(character *c, enum direction d, u32 t)
{
	return per(bytes(c, d, t), c->elapsed_ns / 1e9);
}

static double bandwidth_busy(character *c, enum direction d, u32 t)
{
	return per(bytes(c, d, t), span_ns(c, d) / 1e9);
}

static double iops(character *c, enum direction d, u32 t)
{
	return per(operations(c, d, t), c->elapsed_ns / 1e9);
}

static double iops_busy(character *c, enum direction d, u32 t)
{
	return per(operations(c, d, t), span_ns(c, d) / 1e9);
}

static double counter(character *c, enum direction d, enum counter i)
{
	return d == DIR_BOTH && c->counters.has >> i & 1 ? c->course.total.of[i] : NAN;
}

static double opens(character *c, enum direction d, u32 t)
{
	return counter(c, d, COUNTER_OPENS);
}

static double closes(character *c, enum direction d, u32 t)
{
	return counter(c, d, COUNTER_CLOSES);
}

static double creates(character *c, enum direction d, u32 t)
{
	return counter(c, d, COUNTER_CREATES);
}

/* Of those whose names are known; NaN without any. */
static double of_files(character *c, u64 (*get)(const struct shared *s, enum direction d),
		       enum direction d)
{
	struct shared s;

	if (!c->requests)
		return NAN;
	s = sharing_sum(&c->requests->sharing);
	return s.files[DIR_BOTH] ? get(&s, d) : NAN;
}

static u64 get_files(const struct shared *s, enum direction d)
{
	return s->files[d];
}

static double files(character *c, enum direction d, u32 t)
{
	return of_files(c, get_files, d);
}

static double intensity(character *c, enum direction d, u32 t)
{
	return per(c->course.phases[t][d].active, c->course.phases[t][d].intervals);
}

static double busy(character *c, enum direction d, u32 t)
{
	return per(span_ns(c, d), c->elapsed_ns);
}

/* ---- 2: patterns ---- */

static double size_mean(character *c, enum direction d, u32 t)
{
	return per(bytes(c, d, t), operations(c, d, t));
}

static const struct sizes *sizes_of(character *c, enum direction d)
{
	return c->requests && c->requests->sizes[d].requests ? &c->requests->sizes[d] : NULL;
}

static double size_least(character *c, enum direction d, u32 t)
{
	return sizes_of(c, d) ? sizes_of(c, d)->least : NAN;
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

static double size_commonest(character *c, enum direction d, u32 t)
{
	struct counted top;

	return sizes_of(c, d) && census_top(&sizes_of(c, d)->census, &top, 1) ? top.value : NAN;
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
	return per(operations(c, d, t), operations(c, DIR_BOTH, t));
}

static double share_bytes(character *c, enum direction d, u32 t)
{
	return per(bytes(c, d, t), bytes(c, DIR_BOTH, t));
}

static const char *dominating_operation(character *c, enum direction d)
{
	const struct moved *all = &c->course.total;

	return d == DIR_BOTH ? dominating(all->of[COUNTER_READS], all->of[COUNTER_WRITES]) : NULL;
}

static const char *dominating_bytes(character *c, enum direction d)
{
	const struct moved *all = &c->course.total;

	return d == DIR_BOTH ? dominating(all->of[COUNTER_READ_BYTES],
					  all->of[COUNTER_WRITE_BYTES]) : NULL;
}

static u64 get_local(const struct shared *s, enum direction d)
{
	return s->local;
}

static u64 get_shared(const struct shared *s, enum direction d)
{
	return s->shared;
}

static u64 get_met(const struct shared *s, enum direction d)
{
	return s->met;
}

static double files_local(character *c, enum direction d, u32 t)
{
	return d == DIR_BOTH ? of_files(c, get_local, d) : NAN;
}

static double files_shared(character *c, enum direction d, u32 t)
{
	return d == DIR_BOTH ? of_files(c, get_shared, d) : NAN;
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

	if (!c->requests || d == DIR_BOTH ||
	    !census_top(&c->requests->steps.strides[d], &top, 1))
		return NAN;
	return (s64)top.value;
}

static const char *pattern_word(character *c, enum direction d)
{
	return c->requests ? steps_word(&c->requests->steps, d) : NULL;
}

static double quarter(character *c, enum direction d, int i)
{
	return per(c->course.quarters[d][i], bytes(c, d, 0));
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

/* ---- 3: parallel I/O ---- */

static double parallel(character *c, enum direction d, u32 t)
{
	return c->course.phases[t][d].pi;
}

static double parallel_normalised(character *c, enum direction d, u32 t)
{
	return c->course.phases[t][d].p;
}

static double concurrency(character *c, enum direction d, u32 t)
{
	return c->requests ? per(c->requests->flight_ns[d], span_ns(c, d)) : NAN;
}

static double concurrency_most(character *c, enum direction d, u32 t)
{
	return c->requests ? c->requests->depth[d].most : NAN;
}

static double servers(character *c, enum direction d, u32 t)
{
	u32 n = 0;

	for (u32 i = 0; i < c->counters.servers_n; i++) {
		struct moved cell = counters_of_server(&c->counters, i);

		n += moved_operations(&cell, d) || moved_bytes(&cell, d);
	}
	return n;
}

static double busiest(character *c, enum direction d, u32 t)
{
	double most = 0;

	for (u32 i = 0; i < c->counters.servers_n; i++) {
		struct moved cell = counters_of_server(&c->counters, i);

		most = fmax(most, moved_bytes(&cell, d));
	}
	return per(most, bytes(c, d, t));
}

static double imbalance(character *c, enum direction d, u32 t)
{
	return busiest(c, d, t) * c->counters.servers_n;
}

static double same_file(character *c, enum direction d, u32 t)
{
	if (d != DIR_BOTH || isnan(files(c, d, t)))
		return NAN;
	return per(cover_total_ns(&c->requests->sharing.together), span_ns(c, d));
}

static double same_file_operations(character *c, enum direction d, u32 t)
{
	if (d != DIR_BOTH || isnan(files(c, d, t)))
		return NAN;
	return per(c->requests->sharing.met, sharing_sum(&c->requests->sharing).requests);
}

static double same_file_files(character *c, enum direction d, u32 t)
{
	return d == DIR_BOTH ? of_files(c, get_met, d) : NAN;
}

#define ROW(number, key, title, kind, value) { number, key, title, kind, false, value, NULL }
#define WORD(number, key, title, word) { number, key, title, METRIC_COUNT, false, NULL, word }
#define EACH(number, key, title, kind, value) { number, key, title, kind, true, value, NULL }

const struct criterion criteria[] = {
	ROW("1.1", "bytes", "bytes", METRIC_BYTES, bytes),
	ROW("1.2", "operations", "operations", METRIC_COUNT, operations),
	ROW("1.3", "bandwidth_bytes_per_s", "bandwidth", METRIC_BYTE_RATE, bandwidth),
	ROW("1.3", "busy_bandwidth_bytes_per_s", "bandwidth while busy", METRIC_BYTE_RATE,
	    bandwidth_busy),
	ROW("1.4", "iops", "IOPS", METRIC_RATE, iops),
	ROW("1.4", "busy_iops", "IOPS while busy", METRIC_RATE, iops_busy),
	ROW("1.5", "creates", "files created", METRIC_COUNT, creates),
	ROW("1.5", "opens", "opens", METRIC_COUNT, opens),
	ROW("1.5", "closes", "closes", METRIC_COUNT, closes),
	ROW("1.5", "files", "files accessed", METRIC_COUNT, files),
	EACH("1.6", "intensity", "intensity: intervals with I/O", METRIC_RATIO, intensity),
	ROW("1.6", "busy", "intensity: busy", METRIC_RATIO, busy),
	ROW("2.1", "size_mean_bytes", "mean size", METRIC_BYTES, size_mean),
	ROW("2.1", "size_min_bytes", "least size", METRIC_BYTES, size_least),
	ROW("2.1", "size_max_bytes", "greatest size", METRIC_BYTES, size_most),
	ROW("2.2", "small", "small requests", METRIC_RATIO, small),
	ROW("2.2", "small_bytes", "bytes of small requests", METRIC_RATIO, small_bytes),
	WORD("2.3", "size_kind", "sizes are", size_word),
	ROW("2.3", "sizes", "different sizes", METRIC_COUNT, size_values),
	ROW("2.3", "common_size_bytes", "commonest size", METRIC_BYTES, size_commonest),
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
	EACH("2.9", "rho", "burstiness rho", METRIC_RATIO, burstiness),
	EACH("2.9", "l_io", "l_IO, intervals", METRIC_RATIO, run_io),
	EACH("2.9", "l_no_io", "l_noIO, intervals", METRIC_RATIO, run_idle),
	ROW("2.10", "period_ns", "bytes repeat after", METRIC_TIME, period),
	ROW("2.10", "period_correlation", "correlation then", METRIC_RATIO, period_strength),
	ROW("2.11", "dominating_period_ns", "dominating operation repeats after", METRIC_TIME,
	    turns_period),
	ROW("2.11", "dominating_correlation", "correlation then", METRIC_RATIO, turns_strength),
	ROW("2.11", "dominating_changes", "changes of it", METRIC_COUNT, turns_changes),
	EACH("3.1", "parallel_intensity", "parallel intensity Pi", METRIC_RATIO, parallel),
	EACH("3.1", "parallel_intensity_normalised", "normalised, P", METRIC_RATIO,
	     parallel_normalised),
	ROW("3.2", "concurrency", "operations in flight while busy", METRIC_RATIO, concurrency),
	ROW("3.2", "concurrency_max", "at most", METRIC_COUNT, concurrency_most),
	ROW("3.3", "servers", "servers used", METRIC_COUNT, servers),
	ROW("3.3", "busiest_share", "bytes of the busiest server", METRIC_RATIO, busiest),
	ROW("3.3", "imbalance", "as multiple of the mean", METRIC_RATIO, imbalance),
	ROW("3.4", "same_file", "time with several processes at one file", METRIC_RATIO,
	    same_file),
	ROW("3.4", "same_file_operations", "operations begun then", METRIC_RATIO,
	    same_file_operations),
	ROW("3.4", "same_file_files", "files of which", METRIC_COUNT, same_file_files),
	{ NULL, NULL, NULL, 0, false, NULL, NULL },
};
