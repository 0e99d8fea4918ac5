/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Divides the time limit of an evaluation, the budget, among the points to measure. */
#ifndef IOSPAN_BENCH_PACE_H
#define IOSPAN_BENCH_PACE_H

#include "bench/scale/scale-result.h"

struct pace {
	const struct scale_result *result;
	u64 started_ns; /* start of this run, by CLOCK_MONOTONIC */
	u64 earlier_ns; /* sum of the durations of earlier runs, if the evaluation was resumed */
	u64 kept_ns;	/* part of the budget that is reserved for probes (feedback.h) */
	u64 points_ns;	/* start of the first point, by CLOCK_MONOTONIC; 0: none yet */
	u64 measured;	/* number of points measured in this run */
	bool warned;	/* the warning about a short budget was printed */
};

u64 pace_gone(const struct pace *p);
u64 pace_left(const struct pace *p);
/* Returns true if the budget is used up. Returns false if there is no budget. */
bool pace_over(const struct pace *p);

/* Returns the time for the next point. The rest of the budget is divided evenly among the points
 * that are expected. */
u64 pace_point(const struct pace *p);

/* Prints a warning, once, if the budget is too short for the points to come. Call this before each
 * point. */
void pace_check(struct pace *p);

#endif
