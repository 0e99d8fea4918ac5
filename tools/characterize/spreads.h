/* SPDX-License-Identifier: GPL-2.0-or-later */
/* With --jobs: how the values of each criterion that depends on --threshold are distributed over the
 * jobs. */
#ifndef IOSPAN_SPREADS_H
#define IOSPAN_SPREADS_H

#include "tools/characterize/job.h"

#define TENTHS 10

/* The values of one criterion in ascending order, one per job. They are for one threshold and one
 * direction: reads, writes or both. A job for which the criterion is unknown has no value. */
struct spread {
	double *at;
	u32 n;
};

struct spreads {
	const struct job_list *jobs;
	/* of[i * DIRECTIONS + direction] is the distribution with number i for this direction. Each
	 * pair of a criterion and a threshold has a number, in the order of criteria_each(). */
	struct spread *of;
	u32 rows; /* number of elements of .of */
	/* Used while values are added: number i of the distribution to which the next values
	 * belong. */
	u32 n;
	struct jobs_result result;
};

/* Computes the criteria of all jobs of @j, and returns their distributions. The caller frees the
 * distributions by spreads_release(). */
struct spreads spreads_of(const struct job *j);
void spreads_release(struct spreads *s);

/* Returns a decile, such as the median if @tenths is 5: the smallest value that at least @tenths
 * tenths of the jobs do not exceed. NaN: no job has a value. */
double spread_tenth(const struct spread *s, u32 tenths);

#endif
