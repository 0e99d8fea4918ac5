/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From bandwidths to the one number, and what it is worth. */
#ifndef IOSPAN_BENCH_BEFF_AVERAGE_H
#define IOSPAN_BENCH_BEFF_AVERAGE_H

#include "bench/beff/pattern.h"

/* Bytes per second; NaN when nothing was moved or it took no time. */
double beff_bandwidth(u64 bytes, u64 ns);

/* Of one access method, from those of its types, of which the scattering one counts twice. */
double beff_weighted(const double type[BEFF_TYPES]);
/* Of writing, as 2.x has it: the second time that scattering counts it is rewritten. */
double beff_write_average(const double write[BEFF_TYPES], double rewrite_scatter);
/* b_eff_io of a partition: 2.x (paper, section 6), and 1.x (section 3). */
double beff_2(double write_average, double read_average);
double beff_1(const double weighted[BEFF_ACCESSES]);

/* ---- may it be compared with that of other systems? ---- */

struct beff_conduct {
	u64 seconds, partition_seconds; /* scheduled, for all and for each */
	bool shared_pointer;		/* type 1 had a real one */
	u64 errors;			/* chunks read that were not what was written */
	u64 cache_bytes;		/* that the page cache can hold */
	u64 least_bytes[BEFF_ACCESSES]; /* of a partition; of methods that ran */
	u64 scheduled_ns[BEFF_ACCESSES], used_ns[BEFF_ACCESSES]; /* of all partitions */
	bool rewrite_all;
	bool timed; /* time says how often patterns are repeated */
	bool complete;
};

enum { BEFF_CRITERIA = 13 };
struct beff_criterion {
	const char *name; /* "partition_seconds" */
	const char *text; /* for people */
	bool decides;	  /* 2.1 asks for it; else it is good to know */
	double value, limit;
	bool at_most; /* else the value is to be the limit at least */
};

/* Fills in @list, returns how many there are. */
unsigned beff_criteria(const struct beff_conduct *c, struct beff_criterion list[BEFF_CRITERIA]);
bool beff_meets(const struct beff_criterion *c);
/* All that decide are met. */
bool beff_is_valid(const struct beff_criterion *list, unsigned n);

#endif
