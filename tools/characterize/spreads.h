/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For a log with many jobs: the distributions of the criteria over the jobs, such as the median
 * burstiness. Covers only criteria that depend on --threshold. */
#ifndef IOSPAN_SPREADS_H
#define IOSPAN_SPREADS_H

#include "tools/characterize/job.h"

#define TENTHS 10

/* The values that one criterion has for the jobs, in ascending order, for one threshold and
 * direction. Jobs without a value are left out. */
struct spread {
	double *at;
	u32 n;
};

struct spreads {
	const struct job_list *jobs;
	/* The element [row * DIRECTIONS + direction] has the values of one criterion for one
	 * threshold. Rows are counted in the order of criteria_each(). */
	struct spread *of;
	u32 rows; /* number of elements of @of */
	u32 n;	  /* current row, while criteria_each() runs */
	struct jobs_result result;
};

/* Computes the criteria of all jobs of @j and returns their distributions, which the caller frees
 * by spreads_release(). */
struct spreads spreads_of(const struct job *j);
void spreads_release(struct spreads *s);

/* Returns a decile: the smallest value that at least @tenths tenths of the jobs do not exceed.
 * Returns NaN if no job has a value. */
double spread_tenth(const struct spread *s, u32 tenths);

#endif
