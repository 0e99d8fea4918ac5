/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Averages of b_eff_io, from bandwidths to one number, and the criteria that make a result
 * valid. */
#ifndef IOSPAN_BENCH_BEFF_AVERAGE_H
#define IOSPAN_BENCH_BEFF_AVERAGE_H

#include "bench/beff/pattern.h"

/* Returns bytes per second; NaN if @bytes or @ns is 0. */
double beff_bandwidth(u64 bytes, u64 ns);

/* Returns the average over the pattern types of one access method. The type "scatter" counts twice
 * (b_eff_io paper, section 3). */
double beff_weighted(const double type[BEFF_TYPES]);
/* Returns the average for writing of version 2.x. The type "scatter" counts once as written and
 * once as rewritten (b_eff_io paper, section 6). */
double beff_write_average(const double write[BEFF_TYPES], double rewrite_scatter);
/* Return b_eff_io of a partition. beff_2(): version 2.x, the geometric mean (section 6 of the
 * paper). beff_1(): version 1.x, a weighted sum over the access methods (section 3). */
double beff_2(double write_average, double read_average);
double beff_1(const double weighted[BEFF_ACCESSES]);

/* ---- criteria for comparing the result with other systems ---- */

struct beff_conduct {
	/* scheduled time for all partitions, and for each of them */
	u64 seconds, partition_seconds;
	bool shared_pointer; /* pattern type 1 used a real shared file pointer */
	u64 errors;	     /* number of chunks that were not read as written */
	u64 cache_bytes;     /* bytes of file data that the page cache can hold */
	/* for each access method: bytes of the partition that moved the fewest bytes */
	u64 least_bytes[BEFF_ACCESSES];
	/* for each access method: scheduled and real duration, over all partitions */
	u64 scheduled_ns[BEFF_ACCESSES], used_ns[BEFF_ACCESSES];
	bool rewrite_all;
	bool timed; /* the repetitions were limited by time; false: their number was given */
	bool complete;
};

enum { BEFF_CRITERIA = 13 };
struct beff_criterion {
	const char *name; /* JSON name, such as "partition_seconds" */
	const char *text; /* description */
	bool decides;	  /* revision 2.1 requires the criterion; false: it is only reported */
	double value, limit;
	bool at_most; /* .limit is the largest accepted .value; false: the least */
};

/* Fills @list with all criteria; returns their number. */
unsigned beff_criteria(const struct beff_conduct *c, struct beff_criterion list[BEFF_CRITERIA]);
bool beff_meets(const struct beff_criterion *c);
/* Returns true if all criteria that revision 2.1 requires (.decides) are met. */
bool beff_is_valid(const struct beff_criterion *list, unsigned n);

#endif
