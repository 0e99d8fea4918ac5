/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Averages of b_eff_io, from bandwidths to one number, and the criteria for a valid result. */
#ifndef IOSPAN_BENCH_BEFF_AVERAGE_H
#define IOSPAN_BENCH_BEFF_AVERAGE_H

#include "bench/beff/pattern.h"

/* Bytes per second; NaN if either argument is 0. */
double beff_bandwidth(u64 bytes, u64 ns);

/* Average over the types of one access method; the scattering type counts twice (paper,
 * section 3). */
double beff_weighted(const double type[BEFF_TYPES]);
/* Write average of 2.x: the second scattering term is that of rewriting (section 6). */
double beff_write_average(const double write[BEFF_TYPES], double rewrite_scatter);
/* b_eff_io of a partition: 2.x, the geometric mean (section 6); and 1.x (section 3). */
double beff_2(double write_average, double read_average);
double beff_1(const double weighted[BEFF_ACCESSES]);

/* ---- is the result comparable with other systems? ---- */

struct beff_conduct {
	u64 seconds, partition_seconds; /* scheduled: for all partitions, for each */
	bool shared_pointer;		/* type 1 used a real one */
	u64 errors;			/* chunks that were not read as written */
	u64 cache_bytes;		/* size that the page cache may reach */
	u64 least_bytes[BEFF_ACCESSES]; /* least over partitions, per access method that ran */
	u64 scheduled_ns[BEFF_ACCESSES], used_ns[BEFF_ACCESSES]; /* sums over all partitions */
	bool rewrite_all;
	bool timed; /* time, not a given number, limits the repetitions */
	bool complete;
};

enum { BEFF_CRITERIA = 13 };
struct beff_criterion {
	const char *name; /* "partition_seconds" */
	const char *text; /* for people */
	bool decides;	  /* required by 2.1; false: only reported */
	double value, limit;
	bool at_most; /* limit is the maximum; false: the minimum */
};

/* Fills in @list; returns the number of criteria. */
unsigned beff_criteria(const struct beff_conduct *c, struct beff_criterion list[BEFF_CRITERIA]);
bool beff_meets(const struct beff_criterion *c);
/* Are all criteria that decide met? */
bool beff_is_valid(const struct beff_criterion *list, unsigned n);

#endif
