/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions over many jobs of the criteria that have thresholds. */
#ifndef IOSPAN_SPREADS_H
#define IOSPAN_SPREADS_H

#include "tools/characterize/job.h"

#define TENTHS 10

/* The values of one criterion, threshold and direction, in ascending order. Jobs without a value
 * are excluded. */
struct spread {
	double *at;
	u32 n;
};

struct spreads {
	const struct job_list *jobs;
	/* of[row * DIRECTIONS + direction]; a row is a criterion and threshold, in the order of
	 * criteria_each() */
	struct spread *of;
	u32 rows; /* elements of @of */
	u32 n;	  /* a cursor for the caller: the current row */
	struct jobs_result result;
};

/* The caller calls spreads_release(). */
struct spreads spreads_of(const struct job *j);
void spreads_release(struct spreads *s);

/* Returns the smallest value that is not exceeded in @tenths tenths of the jobs; NaN without
 * values. */
double spread_tenth(const struct spread *s, u32 tenths);

#endif
