/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Divides the time limit of an evaluation (--budget) among the points (workloads to measure). */
#ifndef IOSPAN_BENCH_PACE_H
#define IOSPAN_BENCH_PACE_H

#include "bench/scale/scale-result.h"

struct pace {
	const struct scale_result *result;
	u64 started_ns;
	u64 earlier_ns; /* duration of the earlier runs, if the evaluation was resumed */
	u64 kept_ns;	/* time reserved for probes, the workloads that test predictions */
	/* start of the first point of this run (CLOCK_MONOTONIC); 0: no point has started */
	u64 points_ns;
	u64 measured;
	bool warned;
};

u64 pace_gone(const struct pace *p);
u64 pace_left(const struct pace *p);
/* Returns true if there is a time limit, and it has passed. */
bool pace_over(const struct pace *p);

/* Returns the time in ns for the next point. This is the remaining time minus .kept_ns, divided by
 * the number of points that remain to be measured. It is at most 1/40 of the time limit. */
u64 pace_point(const struct pace *p);

/* Warns once if the time is too short for the remaining points. Call this before each measurement
 * of a point. */
void pace_check(struct pace *p);

#endif
