/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Averages of b_eff_io (effective I/O bandwidth), and the criteria that make its result valid. A
 * run measures partitions (groups of processes, called ranks). In each partition, patterns run. A
 * pattern repeats I/O calls with one chunk size, separately for the access methods write, rewrite
 * and read. The type of a pattern, such as "scatter", is the arrangement of the chunks in the
 * files. */
#ifndef IOSPAN_BENCH_BEFF_AVERAGE_H
#define IOSPAN_BENCH_BEFF_AVERAGE_H

#include "bench/beff/pattern.h"

/* Returns the bandwidth in bytes per second; NaN if @bytes or @ns is 0. */
double beff_bandwidth(u64 bytes, u64 ns);

/* Returns the average bandwidth of one access method over the pattern types. The type "scatter" has
 * twice the weight of another type (b_eff_io paper, section 3). */
double beff_weighted(const double type[BEFF_TYPES]);
/* Returns the average bandwidth of writing in version 2.x: the mean of the bandwidths @write of all
 * pattern types, and of @rewrite_scatter. So the type "scatter" is included twice: written and
 * rewritten (b_eff_io paper, section 6). */
double beff_write_average(const double write[BEFF_TYPES], double rewrite_scatter);
/* Return b_eff_io of one partition (a group of processes). beff_2() is version 2.x: the geometric
 * mean of writing and reading (b_eff_io paper, section 6). beff_1() is version 1.x: a weighted sum
 * over the access methods (section 3). */
double beff_2(double write_average, double read_average);
double beff_1(const double weighted[BEFF_ACCESSES]);

struct beff_conduct {
	bool mpi_io; /* true: the processes access files by MPI-IO */
	/* .seconds: scheduled time of all partitions together, in seconds. .partition_seconds:
	 * scheduled time of one partition. */
	u64 seconds, partition_seconds;
	/* true: pattern type 1 ("shared") used one file pointer for all ranks, as the b_eff_io
	 * paper demands */
	bool shared_pointer;
	/* number of chunks in which a read found other data than were written */
	u64 errors;
	u64 cache_bytes; /* bytes of file data that the page caches of all nodes can hold */
	/* for each access method: bytes transferred in one partition; the minimum over all
	 * partitions */
	u64 least_bytes[BEFF_ACCESSES];
	/* for each access method: scheduled duration and real duration in ns, summed over all
	 * partitions */
	u64 scheduled_ns[BEFF_ACCESSES], used_ns[BEFF_ACCESSES];
	bool rewrite_all;
	bool version_1; /* true: the rules of version 1.x apply, false: those of 2.x */
	/* true: each pattern ran for a scheduled time; false: each pattern ran a given number of
	 * repetitions */
	bool timed;
	bool complete;
};

enum { BEFF_CRITERIA = 14 };
struct beff_criterion {
	const char *name; /* key in the JSON result, such as "partition_seconds" */
	/* text for the user, such as "total time, in multiples of the schedule" */
	const char *text;
	/* true: the result is invalid if this criterion fails (b_eff_io revision 2.1); false: it is
	 * only reported */
	bool decides;
	double value, limit;
	/* true: .value must be at most .limit; false: .value must be at least .limit */
	bool at_most;
};

/* Fills in @list, and returns the number of its elements. */
unsigned beff_criteria(const struct beff_conduct *c, struct beff_criterion list[BEFF_CRITERIA]);
bool beff_meets(const struct beff_criterion *c);

/* The results with which a result may be compared */
enum beff_verdict {
	BEFF_VALID, /* results of different systems */
	BEFF_SHORT, /* results of the same scheduled time, because the time was too short */
	BEFF_URING, /* results of io_uring, because b_eff_io demands MPI-IO */
	BEFF_URING_SHORT,
	BEFF_INVALID, /* none */
	BEFF_VERDICTS
};
extern const char *const beff_verdict_names[BEFF_VERDICTS];
enum beff_verdict beff_verdict(const struct beff_criterion *list, unsigned n);

#endif
