/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O characteristics of one job at one layer: the criteria of El Sayed, Bolten, Pleiter and
 * Frings (2016, doi 10.1109/PDSW-DISCS.2016.006). Some criteria need only the counters of the
 * I/O servers. The others need the accesses, and have no value without them. */
#ifndef IOSPAN_CHARACTER_H
#define IOSPAN_CHARACTER_H

#include "user/metric/metric.h"
#include "tools/characterize/counters.h"
#include "tools/characterize/depth.h"
#include "tools/characterize/phases.h"
#include "tools/characterize/rhythm.h"
#include "tools/characterize/sharing.h"
#include "tools/characterize/sizes.h"
#include "tools/characterize/steps.h"
#include "tools/characterize/visits.h"

#define THRESHOLDS_MAX 8
#define QUARTERS 4

/* The results that are computed from the accesses. */
struct requests {
	u64 small;		       /* a request is small if it has fewer bytes than this */
	struct cover busy[DIRECTIONS]; /* T of each direction */
	u128 flight_ns[DIRECTIONS];    /* sum of latencies */
	struct depth depth[DIRECTIONS];
	struct sizes sizes[DIRECTIONS];
	struct steps steps;
	struct sharing sharing;
	u64 others[OP_MAX]; /* number of operations that are neither read nor write */
};

/* The results that are computed from the counters. */
struct course {
	struct moved total;
	struct phases phases[THRESHOLDS_MAX][DIRECTIONS];
	double quarters[DIRECTIONS][QUARTERS]; /* bytes moved in each quarter of the time */
	/* number of intervals until half of the bytes are moved */
	u32 half[DIRECTIONS];
	struct rhythm rhythm[DIRECTIONS]; /* rhythm of the bytes per interval */
	/* rhythm of the dominating operation (see dominance_of()) per interval */
	struct rhythm dominance;
	u64 dominance_changes;
};

struct character {
	const char *layer;
	u64 elapsed_ns;
	u64 thresholds[THRESHOLDS_MAX]; /* in bytes; the values of c in phases.h */
	u32 thresholds_n;
	struct counters counters;
	struct course course;
	struct requests *requests; /* NULL if the input is a log of counters */
};

void character_release(struct character *c);

/* Adds an access. Call this in the order of the start times. */
void character_visit(struct character *c, const struct visit *v);

/* No later access starts before @before_ns. So this frees the memory for the time before it. */
void character_settle(struct character *c, u64 before_ns);

/* Computes c->course. Call this once, after the last access or counter was added. */
void character_finish(struct character *c);

/* Returns "read" or "write", whichever is larger. Returns "none" if they differ by at most a
 * tenth of their sum, and NULL if both are 0. */
const char *character_dominating(u128 reads, u128 writes);

/* ---- the table of criteria ---- */

struct criterion {
	const char *number; /* number in the paper, such as "2.9" */
	const char *key, *title;
	enum metric_kind kind;
	bool by_threshold; /* true if there is a result for each threshold */
	/* Returns the result, or NaN if it is not defined. */
	double (*value)(const struct character *c, enum direction d, u32 threshold);
	/* Returns the result as a word; if this is not NULL, it is used instead of value(). */
	const char *(*word)(const struct character *c, enum direction d);
	bool is_fraction; /* true if the value is always from 0 to 1 */
	/* Returns a sum that value() rounds, with all its digits. It is called only if value()
	 * is not NaN. The pointer may be NULL. */
	u128 (*whole)(const struct character *c, enum direction d);
};
extern const char *const direction_names[DIRECTIONS];

#endif
