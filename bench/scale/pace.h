/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How an evaluation spends its time limit, the budget. */
#ifndef IOSPAN_BENCH_PACE_H
#define IOSPAN_BENCH_PACE_H

#include "bench/scale/scale-result.h"

struct pace {
	const struct scale_result *result;
	u64 started_ns; /* CLOCK_MONOTONIC */
	u64 earlier_ns; /* duration of the earlier runs, if it was resumed */
	u64 kept_ns;	/* time reserved for probes */
	u64 points_ns;	/* start of the first point, CLOCK_MONOTONIC; 0: none yet */
	u64 measured;	/* points measured in this run */
	bool warned;	/* the warning about a short budget was printed */
};

u64 pace_gone(const struct pace *p);
u64 pace_left(const struct pace *p);
bool pace_over(const struct pace *p); /* false without a budget */

/* Returns the time for the next point: the rest of the budget is divided evenly among the remaining
 * points. */
u64 pace_point(const struct pace *p);

/* Call before each point. Warns once if the budget is too short for the points to come. */
void pace_check(struct pace *p);

#endif
