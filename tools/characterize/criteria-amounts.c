// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the criteria of category 1 of El Sayed and others 2016: aggregate numbers, such as
 * bandwidth and IOPS. */
#include "tools/characterize/criteria.h"

static u128 whole_bytes(character *c, enum direction d, u32 i)
{
	return moved_bytes(&c->course.total, d);
}

static u128 whole_operations(character *c, enum direction d, u32 i)
{
	return moved_operations(&c->course.total, d);
}

static double value_bandwidth(character *c, enum direction d, u32 t)
{
	return criteria_ratio(criteria_bytes(c, d, t), c->elapsed_ns / 1e9);
}

static double value_bandwidth_busy(character *c, enum direction d, u32 t)
{
	return criteria_ratio(criteria_bytes(c, d, t), criteria_span_ns(c, d) / 1e9);
}

static double value_iops(character *c, enum direction d, u32 t)
{
	return criteria_ratio(criteria_operations(c, d, t), c->elapsed_ns / 1e9);
}

static double value_iops_busy(character *c, enum direction d, u32 t)
{
	return criteria_ratio(criteria_operations(c, d, t), criteria_span_ns(c, d) / 1e9);
}

static u128 whole_counter(character *c, enum direction d, u32 i)
{
	return c->course.total.of[i];
}

static double value_counter(character *c, enum direction d, u32 i)
{
	return d == DIR_BOTH && c->counters.has >> i & 1 ? c->course.total.of[i] : NAN;
}

static double value_intensity(character *c, enum direction d, u32 t)
{
	return criteria_ratio(c->course.bursts[t][d].active, c->course.bursts[t][d].intervals);
}

static double value_busy(character *c, enum direction d, u32 t)
{
	return criteria_ratio(criteria_span_ns(c, d), c->elapsed_ns);
}

const struct criterion criteria_amounts[] = {
	ROW("1.1", "bytes", "bytes", METRIC_BYTES, criteria_bytes, .whole = whole_bytes),
	ROW("1.2", "operations", "operations", METRIC_COUNT, criteria_operations,
	    .whole = whole_operations),
	ROW("1.3", KEY_BANDWIDTH, "bandwidth", METRIC_BYTE_RATE, value_bandwidth),
	ROW("1.3", "busy_bandwidth_bytes_per_second", "bandwidth while busy", METRIC_BYTE_RATE,
	    value_bandwidth_busy),
	ROW("1.4", "iops", "IOPS", METRIC_RATE, value_iops),
	ROW("1.4", "busy_iops", "IOPS while busy", METRIC_RATE, value_iops_busy),
	ROW("1.5", "creates", "files created", METRIC_COUNT, value_counter, .whole = whole_counter,
	    .of = COUNTER_CREATES),
	ROW("1.5", "opens", "opens", METRIC_COUNT, value_counter, .whole = whole_counter,
	    .of = COUNTER_OPENS),
	ROW("1.5", "closes", "closes", METRIC_COUNT, value_counter, .whole = whole_counter,
	    .of = COUNTER_CLOSES),
	ROW("1.5", "files", "files accessed", METRIC_COUNT, criteria_files),
	ROW("1.6", "intensity_fraction", "intensity: intervals with I/O", METRIC_RATIO,
	    value_intensity, .by_threshold = true, .is_fraction = true),
	ROW("1.6", KEY_BUSY, "intensity: busy time", METRIC_RATIO, value_busy),
	{},
};
