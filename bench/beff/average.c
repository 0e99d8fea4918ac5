// SPDX-License-Identifier: GPL-2.0-or-later
/* Averages of b_eff_io (effective I/O bandwidth) and the criteria for a valid result. A run
 * measures partitions (groups of processes). In each partition, patterns run. A pattern repeats I/O
 * calls with one chunk size, separately for the access methods write, rewrite and read. The type of
 * a pattern, such as "scatter", is the arrangement of the chunks in the files. */
#include "bench/beff/average.h"

#include <math.h>
#include <string.h>

#define LEAST_SECONDS 1800   /* revision 2.1, for each partition */
#define LEAST_SECONDS_1 900  /* version 1.x, for each partition (b_eff_io paper, section 3) */
#define PAPER_SECONDS 1800   /* for all partitions together (b_eff_io paper, section 6) */
#define REWRITE_SECONDS 2700 /* as PAPER_SECONDS, if all types are rewritten */
/* A run must transfer at least CACHES times the bytes that the page caches of all nodes hold, so
 * that 95 % of the data are on disk (b_eff_io paper, section 5). */
#define CACHES 20
#define KEPT 1.1 /* a run may last KEPT times its scheduled time */

double beff_bandwidth(u64 bytes, u64 ns)
{
	return bytes && ns ? bytes * 1e9 / ns : NAN;
}

double beff_weighted(const double type[BEFF_TYPES])
{
	return beff_write_average(type, type[BEFF_SCATTER]);
}

double beff_write_average(const double write[BEFF_TYPES], double rewrite_scatter)
{
	double sum = rewrite_scatter;

	for (enum beff_type t = 0; t < BEFF_TYPES; t++)
		sum += write[t];
	return sum / (BEFF_TYPES + 1);
}

double beff_2(double write_average, double read_average)
{
	return sqrt(write_average * read_average);
}

double beff_1(const double weighted[BEFF_ACCESSES])
{
	return 0.25 * weighted[BEFF_WRITE] + 0.25 * weighted[BEFF_REWRITE] +
		0.5 * weighted[BEFF_READ];
}

/* Adds criteria for the durations of writing, rewriting, reading and the whole run. Each duration
 * may exceed its scheduled time a little, because a pattern calls sync after its time limit. */
static unsigned time_criteria(const struct beff_conduct *c, struct beff_criterion *list)
{
	static const char *const names[] = { "write_time", "rewrite_time", "read_time", "time" };
	static const char *const texts[] = {
		"time to write, in multiples of the schedule",
		"time to rewrite, in multiples of the schedule",
		"time to read, in multiples of the schedule",
		"total time, in multiples of the schedule",
	};
	u64 scheduled = 0, used = 0;

	for (enum beff_access a = 0; a < BEFF_ACCESSES; a++) {
		list[a] = (struct beff_criterion){
			names[a], texts[a], false, (double)c->used_ns[a] / c->scheduled_ns[a],
			KEPT,	  true
		};
		scheduled += c->scheduled_ns[a];
		used += c->used_ns[a];
	}
	list[BEFF_ACCESSES] = (struct beff_criterion){ names[BEFF_ACCESSES],
						       texts[BEFF_ACCESSES],
						       false,
						       (double)used / scheduled,
						       KEPT,
						       true };
	return BEFF_ACCESSES + 1;
}

unsigned beff_criteria(const struct beff_conduct *c, struct beff_criterion list[BEFF_CRITERIA])
{
	static const char *const cached[BEFF_ACCESSES] = { "write_caches", "rewrite_caches",
							   "read_caches" };
	static const char *const texts[BEFF_ACCESSES] = {
		"data written, in multiples of all caches",
		"data rewritten, in multiples of all caches",
		"data read, in multiples of all caches",
	};
	unsigned n = 0;

	list[n++] = (struct beff_criterion){ "mpi_io", "I/O by MPI-IO (paper, section 2.1)",
					     true,     c->mpi_io,
					     1,	       false };
	list[n++] = (struct beff_criterion){ "partition_seconds",
					     "seconds for each partition",
					     true,
					     c->partition_seconds,
					     c->version_1 ? LEAST_SECONDS_1 : LEAST_SECONDS,
					     false };
	list[n++] = (struct beff_criterion){
		"shared_pointer", "a shared pointer for type 1", true, c->shared_pointer, 1, false
	};
	list[n++] = (struct beff_criterion){ "errors", "chunks that were not read as written",
					     true,     c->errors,
					     0,	       true };
	list[n++] = (struct beff_criterion){ "timed", "time limited the repetitions of patterns",
					     true,    c->timed,
					     1,	      false };
	list[n++] = (struct beff_criterion){ "complete", "all patterns were run",
					     true,	 c->complete,
					     1,		 false };
	if (!c->version_1)
		list[n++] =
			(struct beff_criterion){ "seconds",
						 "seconds for all partitions (paper)",
						 false,
						 c->seconds,
						 c->rewrite_all ? REWRITE_SECONDS : PAPER_SECONDS,
						 false };
	for (enum beff_access a = 0; a < BEFF_ACCESSES; a++)
		list[n++] = (struct beff_criterion){
			cached[a], texts[a], false, (double)c->least_bytes[a] / c->cache_bytes,
			CACHES,	   false
		};
	return n + time_criteria(c, list + n);
}

bool beff_meets(const struct beff_criterion *c)
{
	return c->at_most ? c->value <= c->limit : c->value >= c->limit;
}

const char *const beff_verdict_names[BEFF_VERDICTS] = {
	[BEFF_VALID] = "valid",	      [BEFF_SHORT] = "short",
	[BEFF_URING] = "uring",	      [BEFF_URING_SHORT] = "uring_short",
	[BEFF_INVALID] = "not_valid",
};

enum beff_verdict beff_verdict(const struct beff_criterion *list, unsigned n)
{
	bool by_uring = false, is_short = false;

	for (unsigned i = 0; i < n; i++) {
		if (!list[i].decides || beff_meets(&list[i]))
			continue;
		if (!strcmp(list[i].name, "mpi_io"))
			by_uring = true;
		else if (!strcmp(list[i].name, "partition_seconds"))
			is_short = true;
		else
			return BEFF_INVALID;
	}
	return by_uring	 ? is_short ? BEFF_URING_SHORT : BEFF_URING :
		is_short ? BEFF_SHORT :
			   BEFF_VALID;
}
