/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The criteria of El Sayed, Bolten, Pleiter and Frings (2016, doi 10.1109/PDSW-DISCS.2016.006)
 * for one job at one layer. Some need only the servers' counters. The others need the accesses
 * and have no value without them. */
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

/* Computed from the accesses. */
struct requests {
	u64 small;		       /* a request of fewer bytes is small */
	struct cover busy[DIRECTIONS]; /* T */
	u128 flight_ns[DIRECTIONS];    /* sum of latencies */
	struct depth depth[DIRECTIONS];
	struct sizes sizes[DIRECTIONS];
	struct steps steps;
	struct sharing sharing;
	u64 others[OP_MAX]; /* operations that are neither read nor write */
};

/* Computed from the counters. */
struct course {
	struct moved total;
	struct phases phases[THRESHOLDS_MAX][DIRECTIONS];
	double quarters[DIRECTIONS][QUARTERS]; /* bytes moved in each quarter of the time */
	u32 half[DIRECTIONS];		       /* intervals until half of the bytes are moved */
	struct rhythm rhythm[DIRECTIONS];      /* rhythm of the bytes per interval */
	struct rhythm dominance;	       /* rhythm of the dominating operation per interval */
	u64 dominance_changes;
};

struct character {
	const char *layer;
	u64 elapsed_ns;
	u64 thresholds[THRESHOLDS_MAX]; /* c, in bytes, see phases.h */
	u32 thresholds_n;
	struct counters counters;
	struct course course;
	struct requests *requests; /* NULL: the source is a log of counters */
};

void character_release(struct character *c);

/* Adds an access. The calls are in the order of start times. */
void character_visit(struct character *c, const struct visit *v);

/* Frees memory. The caller promises that no later access starts before @before_ns. */
void character_settle(struct character *c, u64 before_ns);

/* Computes ->course. Call once, after the last access or counter. */
void character_finish(struct character *c);

/* Returns "read" or "write", whichever is larger; "none" if they differ by at most a tenth of
 * their sum; NULL if both are 0. */
const char *character_dominating(u128 reads, u128 writes);

/* ---- the table of criteria ---- */

struct criterion {
	const char *number; /* in the paper: "2.9" */
	const char *key, *title;
	enum metric_kind kind;
	bool by_threshold; /* one result per threshold */
	/* NaN: not defined */
	double (*value)(const struct character *c, enum direction d, u32 threshold);
	/* Used in place of ->value if not NULL. */
	const char *(*word)(const struct character *c, enum direction d);
	bool is_fraction; /* the value is from 0 to 1 */
	/* Returns all digits of a sum that ->value rounds. Not called where ->value is NaN. May be
	 * NULL. */
	u128 (*whole)(const struct character *c, enum direction d);
};
extern const char *const direction_names[DIRECTIONS];

#endif
