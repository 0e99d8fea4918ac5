// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the criteria of category 3 of El Sayed and others 2016: parallel I/O, such as
 * concurrency and imbalance of servers. */
#include "tools/characterize/criteria.h"

static double value_parallel(character *c, enum direction d, u32 t)
{
	return burst_pi(&c->course.bursts[t][d], c->counters.servers_n);
}

static double value_parallel_normalised(character *c, enum direction d, u32 t)
{
	return burst_p(&c->course.bursts[t][d], c->counters.servers_n);
}

static double value_concurrency(character *c, enum direction d, u32 t)
{
	return c->requests ? criteria_ratio(c->requests->flight_ns[d], criteria_span_ns(c, d)) :
			     NAN;
}

static double value_concurrency_max(character *c, enum direction d, u32 t)
{
	return c->requests ? c->requests->depth[d].most : NAN;
}

static double value_servers(character *c, enum direction d, u32 t)
{
	u32 n = 0;

	for (u32 i = 0; i < c->counters.servers_n; i++) {
		struct moved cell = counters_of_server(&c->counters, i);

		n += moved_operations(&cell, d) || moved_bytes(&cell, d);
	}
	return n;
}

static double value_busiest(character *c, enum direction d, u32 t)
{
	double most = 0;

	for (u32 i = 0; i < c->counters.servers_n; i++) {
		struct moved cell = counters_of_server(&c->counters, i);

		most = fmax(most, moved_bytes(&cell, d));
	}
	return criteria_ratio(most, criteria_bytes(c, d, t));
}

static double value_imbalance(character *c, enum direction d, u32 t)
{
	return value_busiest(c, d, t) * c->counters.servers_n;
}

static double value_same_file(character *c, enum direction d, u32 t)
{
	if (d != DIR_BOTH || isnan(criteria_files(c, d, t)))
		return NAN;
	return criteria_ratio(cover_total_ns(&c->requests->sharing.together),
			      criteria_span_ns(c, d));
}

static double value_same_file_operations(character *c, enum direction d, u32 t)
{
	if (d != DIR_BOTH || isnan(criteria_files(c, d, t)))
		return NAN;
	return criteria_ratio(c->requests->sharing.met, criteria_shared(c).requests);
}

const struct criterion criteria_parallel[] = {
	ROW("3.1", "parallel_intensity_fraction", "parallel intensity Pi", METRIC_RATIO,
	    value_parallel, .by_threshold = true, .is_fraction = true),
	ROW("3.1", "parallel_intensity_normalised_fraction", "parallel intensity P, normalised",
	    METRIC_RATIO, value_parallel_normalised, .by_threshold = true, .is_fraction = true),
	ROW("3.2", "concurrency", "mean operations in flight while busy", METRIC_RATIO,
	    value_concurrency),
	ROW("3.2", "concurrency_max", "maximum operations in flight", METRIC_COUNT,
	    value_concurrency_max),
	ROW("3.3", "servers", "servers used", METRIC_COUNT, value_servers),
	ROW("3.3", "busiest_server_bytes_fraction", "fraction of bytes on the busiest server",
	    METRIC_RATIO, value_busiest),
	ROW("3.3", "imbalance", "busiest server / mean server", METRIC_RATIO, value_imbalance),
	ROW("3.4", "same_file_time_fraction", "time with several processes in one file",
	    METRIC_RATIO, value_same_file),
	ROW("3.4", "same_file_operations_fraction", "operations started during that time",
	    METRIC_RATIO, value_same_file_operations),
	ROW("3.4", "same_file_files", "files used by several processes at once", METRIC_COUNT,
	    criteria_files_of, .of = offsetof(struct shared, met)),
	{},
};
