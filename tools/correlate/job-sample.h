/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pairs that are correlated: the amount of the system in the window of a job, and the I/O
 * time of that job (Madireddy and others 2017, equation 8). */
#ifndef IOSPAN_JOB_SAMPLE_H
#define IOSPAN_JOB_SAMPLE_H

#include "tools/correlate/associate.h"
#include "tools/correlate/timed-jobs.h"

struct correlate_options;

struct job_sample {
	double *x; /* amounts of the system, or amounts per second */
	double *y; /* I/O times of the jobs in seconds */
	size_t n;
	u32 intervals; /* number of intervals of the system that overlap a job */
};

/* Returns an empty sample with room for @most pairs. */
struct job_sample job_sample_new(size_t most);
void job_sample_release(struct job_sample *s);

/* Returns the pairs of the jobs that the system data covers and for which both values are known.
 * The caller calls job_sample_release(). */
struct job_sample job_sample_gather(const struct correlate_options *o,
				    const struct timed_jobs *jobs, const struct series *s,
				    enum form form, u32 column);

/* Returns the I/O time of job @j in seconds, or NaN if it is not known. */
double job_sample_time(const struct timed_jobs *jobs, const struct timed_job *j,
		       const struct series *s, enum form form);

/* Computes the measures of the pairs @s. They are not defined if there are less than 3 jobs or 3
 * intervals. */
void job_sample_associate(struct associated *a, const struct job_sample *s,
			  const struct associate_options *how);

#endif
