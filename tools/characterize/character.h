/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O characteristics of a job at one layer: the criteria of El Sayed, Bolten, Pleiter and
 * Frings (2016, doi 10.1109/PDSW-DISCS.2016.006). Some criteria need every access; they have no
 * value if the input is a log of counters. The other criteria need only the counters of each server
 * (a disk or a file system) in each interval. */
#ifndef IOSPAN_CHARACTER_H
#define IOSPAN_CHARACTER_H

#include "user/base/heap.h"
#include "user/metric/metric.h"
#include "tools/characterize/counters.h"
#include "tools/characterize/rhythm.h"
#include "tools/characterize/sharing.h"
#include "tools/characterize/sizes.h"
#include "tools/characterize/steps.h"
#include "tools/characterize/visits.h"
#include "tools/characterize/job-workload.h"

#define THRESHOLDS_MAX 8
#define QUARTERS 4

/* The exact busy periods. In a busy period, at least one access is in flight at every moment. */
struct periods {
	/* .n: number of periods. .first_ns: start of the first period. .last_ns: end of the last
	 * period. */
	u64 n, first_ns, last_ns;
};

struct depth {
	struct heap ends; /* ends of the accesses in flight, in ns; the earliest is first */
	u32 most;	  /* largest number of accesses that were in flight at the same time */
};

struct requests {
	u64 small; /* limit in bytes: a request with fewer bytes is small */
	/* T, the time with at least one access in flight, per direction */
	struct cover busy[DIRECTIONS];
	struct periods periods[DIRECTIONS];
	u128 flight_ns[DIRECTIONS]; /* sum of the latencies of all accesses */
	struct depth depth[DIRECTIONS];
	struct sizes sizes[DIRECTIONS];
	struct steps steps;
	struct sharing sharing;
	struct job_workload workload;
	u64 others[OP_MAX]; /* number of operations other than reads and writes, by enum op */
	/* time with at least one sync in flight; at the device layer, with at least one flush */
	struct cover syncing;
};

/* Results that show how the I/O of the job at one layer changes over time, computed from the
 * counters of each server in each interval. */
struct course {
	struct moved total;
	struct burst bursts[THRESHOLDS_MAX][DIRECTIONS];
	double quarters[DIRECTIONS][QUARTERS]; /* bytes moved in each quarter of the time */
	/* number of intervals until half of all bytes were moved */
	u32 half[DIRECTIONS];
	struct rhythm rhythm[DIRECTIONS]; /* period with which the bytes per interval repeat */
	/* Period with which the job alternates between mainly reading and mainly writing: the
	 * period of a series with one value per interval. The value is 1 if the interval has more
	 * reads than writes, -1 if it has fewer, 0 if the numbers are equal. */
	struct rhythm dominance;
	/* number of changes between mainly reading and mainly writing */
	u64 dominance_changes;
};

/* Largest fraction of the accesses of a layer that the trace may lack. If it lacks more, the first
 * line of the result says so, and the workload is unknown. */
#define LOST_MAX 0.05

struct character {
	const char *layer;
	u64 begin_ns, elapsed_ns; /* .begin_ns: start of the observation */
	/* Values of --threshold in bytes. An interval has I/O if at least one server moved more
	 * bytes in it than the threshold. */
	u64 thresholds[THRESHOLDS_MAX];
	u32 thresholds_n;
	/* number of events lost in the whole trace that can make this layer lack accesses */
	u64 losses;
	struct counters counters;
	struct course course;
	/* NULL if the input is a log of counters, which has no accesses */
	struct requests *requests;
};

void character_release(struct character *c);

/* Adds an access of the layer. The caller adds accesses in the order of their start times. */
void character_visit(struct character *c, const struct visit *v);

/* Adds the busy time before @before_ns to T, and frees its memory. All further accesses must start
 * at @before_ns or later. */
void character_settle(struct character *c, u64 before_ns);

/* Computes c->course. Call it once, after the last access or counter. */
void character_finish(struct character *c);

/* If @reads and @writes differ by at most a tenth of their sum, returns "none". Otherwise returns
 * "read" if @reads is larger, and "write" if @writes is larger. If both are 0, returns NULL. */
const char *character_dominating(u128 reads, u128 writes);

struct criterion {
	const char *number; /* number of the criterion in El Sayed and others 2016, such as "2.9" */
	const char *key, *title;
	enum metric_kind kind;
	bool by_threshold; /* true if the criterion is computed for each value of --threshold */
	/* Computes the criterion for direction @d. Returns NaN if it has no value. @i is an index
	 * of c->thresholds if .by_threshold is true, and else the value of .of. */
	double (*value)(const struct character *c, enum direction d, u32 i);
	/* Returns the result of a criterion that is a word, such as "sequential". NULL: the result
	 * of the criterion is a number, see value(). */
	const char *(*word)(const struct character *c, enum direction d);
	bool is_fraction;
	/* Returns the exact value of a criterion that is a whole number. value() may round it,
	 * because a double has only 53 bits. NULL: value() is exact enough. Called only if value()
	 * is not NaN. */
	u128 (*whole)(const struct character *c, enum direction d, u32 i);
	/* argument @i of value(), if one function computes several criteria; for example
	 * STEP_STRIDED */
	u32 of;
};
extern const char *const direction_names[DIRECTIONS];

#endif
