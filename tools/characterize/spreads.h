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
	/* Indexed by row * DIRECTIONS + direction. A row is a criterion with a threshold, in the
	 * order of criteria_each(). */
	struct spread *of;
	u32 rows; /* number of elements of @of */
	u32 n;	  /* current row of a loop over the criteria */
	struct jobs_result result;
};

/* Returns the distributions over the jobs of @j. The caller calls spreads_release(). */
struct spreads spreads_of(const struct job *j);
void spreads_release(struct spreads *s);

/* Returns the smallest value that at least @tenths tenths of the jobs do not exceed. Returns NaN
 * if there is no value. */
double spread_tenth(const struct spread *s, u32 tenths);

#endif
