/* SPDX-License-Identifier: GPL-2.0-or-later */
/* With --jobs: how the values of a criterion are distributed over the jobs, for each criterion that
 * depends on --threshold. */
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
	/* Distributions of all pairs of a criterion and a threshold, in the order of
	 * criteria_each(). Pair i has three distributions, for reads, writes and both: of[i *
	 * DIRECTIONS + direction]. */
	struct spread *of;
	u32 rows; /* number of elements of .of */
	/* while the values of a job are added: number of the pair to which the next value
	 * belongs */
	u32 n;
	struct jobs_result result;
};

/* Computes the criteria of all jobs of @j, and returns their distributions. The caller frees the
 * distributions by spreads_release(). */
struct spreads spreads_of(const struct job *j);
void spreads_release(struct spreads *s);

/* Returns the smallest value that at least @tenths tenths of the jobs do not exceed. For example, 5
 * tenths give the median. NaN: no job has a value. */
double spread_tenth(const struct spread *s, u32 tenths);

#endif
