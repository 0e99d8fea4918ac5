// SPDX-License-Identifier: GPL-2.0-or-later
/* Category 3: parallel I/O. */
#include "tools/characterize/criteria.h"

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
	return c->requests ? per(c->requests->flight_ns[d], criteria_span_ns(c, d)) : NAN;
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
	return per(most, criteria_bytes(c, d, t));
}

static double imbalance(character *c, enum direction d, u32 t)
{
	return busiest(c, d, t) * c->counters.servers_n;
}

static double same_file(character *c, enum direction d, u32 t)
{
	if (d != DIR_BOTH || isnan(criteria_files(c, d, t)))
		return NAN;
	return per(cover_total_ns(&c->requests->sharing.together), criteria_span_ns(c, d));
}

static double same_file_operations(character *c, enum direction d, u32 t)
{
	if (d != DIR_BOTH || isnan(criteria_files(c, d, t)))
		return NAN;
	return per(c->requests->sharing.met, sharing_sum(&c->requests->sharing).requests);
}

static u64 get_met(const struct shared *s, enum direction d)
{
	return s->met;
}

static double same_file_files(character *c, enum direction d, u32 t)
{
	return d == DIR_BOTH ? criteria_of_files(c, get_met, d) : NAN;
}

const struct criterion criteria_parallel[] = {
	EACH_SHARE("3.1", "parallel_intensity", "parallel intensity Pi", parallel),
	EACH_SHARE("3.1", "parallel_intensity_normalised", "normalised, P", parallel_normalised),
	ROW("3.2", "concurrency", "operations in flight while busy", METRIC_RATIO, concurrency),
	ROW("3.2", "concurrency_max", "at most", METRIC_COUNT, concurrency_most),
	ROW("3.3", "servers", "servers used", METRIC_COUNT, servers),
	ROW("3.3", "busiest_share", "bytes of the busiest server", METRIC_RATIO, busiest),
	ROW("3.3", "imbalance", "as multiple of the mean", METRIC_RATIO, imbalance),
	ROW("3.4", "same_file", "time with several processes at one file", METRIC_RATIO, same_file),
	ROW("3.4", "same_file_operations", "operations begun then", METRIC_RATIO,
	    same_file_operations),
	ROW("3.4", "same_file_files", "files of which", METRIC_COUNT, same_file_files),
	LAST,
};
