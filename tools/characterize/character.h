/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the I/O of a job looks like: the criteria of El Sayed, Bolten, Pleiter and Frings
 * (2016), of one layer. The servers' counters are enough for some; what takes the requests
 * themselves is not known without. */
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

/* What only requests tell. */
struct requests {
	u64 small; /* below so many bytes they are */
	struct cover busy[DIRECTIONS];
	u128 flight_ns[DIRECTIONS];
	struct depth depth[DIRECTIONS];
	struct sizes sizes[DIRECTIONS];
	struct steps steps;
	struct sharing sharing;
	u64 others[OP_MAX]; /* operations that are neither read nor write */
};

/* What follows from the counters. */
struct course {
	struct moved total;
	struct phases phases[THRESHOLDS_MAX][DIRECTIONS];
	double quarters[DIRECTIONS][QUARTERS]; /* bytes moved in each quarter of the time */
	u32 half[DIRECTIONS];		       /* intervals until half of the bytes were */
	struct rhythm rhythm[DIRECTIONS];      /* of the bytes */
	struct rhythm turns;		       /* of the dominating operation */
	u64 changes;			       /* of it */
};

struct character {
	const char *layer;
	u64 elapsed_ns;
	u64 thresholds[THRESHOLDS_MAX]; /* c of H and delta */
	u32 thresholds_n;
	struct counters counters;
	struct course course;
	struct requests *requests; /* NULL: there are only counters */
};

void character_release(struct character *c);

/* An access, in the order of their begins. */
void character_visit(struct character *c, const struct visit *v);

/* No later access begins before. */
void character_settle(struct character *c, u64 before_ns);

/* Once, when all are there, in ->requests or in ->counters. */
void character_finish(struct character *c);

/* Which operation there is more of: "read", "write", or "none" if they differ by no more
 * than a tenth of their sum; NULL: there are none. */
const char *dominating(u128 reads, u128 writes);

/* ---- the criteria, a row each ---- */

struct criterion {
	const char *number; /* as the paper has it: "2.9" */
	const char *key, *title;
	enum metric_kind kind;
	bool by_threshold; /* a row for each */
	double (*value)(const struct character *c, enum direction d, u32 threshold);
	const char *(*word)(const struct character *c, enum direction d); /* instead */
	bool is_share;							  /* from 0 to 1 */
	/* NULL, or ->value with all of its digits, where that is not NaN */
	u128 (*whole)(const struct character *c, enum direction d);
};
extern const char *const direction_names[DIRECTIONS];

#endif
