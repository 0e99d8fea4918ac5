/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pairs that are correlated: the system's amount in the window of a job, and the job's I/O
 * time (Madireddy and others 2017, equation 8). */
#ifndef IOSPAN_JOB_SAMPLE_H
#define IOSPAN_JOB_SAMPLE_H

#include "tools/correlate/associate.h"
#include "tools/correlate/timed-jobs.h"

struct correlate_options;

struct job_sample {
	double *x; /* amounts, or amounts per second */
	double *y; /* I/O times, s */
	size_t n;
	u32 intervals; /* intervals of the system that overlap a job */
};

/* Empty, with room for @most pairs. */
struct job_sample job_sample_new(size_t most);
void job_sample_release(struct job_sample *s);

/* The jobs that the system covers and for which both values are known; the caller releases it. */
struct job_sample job_sample_gather(const struct correlate_options *o,
				    const struct timed_jobs *jobs, const struct series *s,
				    enum form form, u32 column);

/* The I/O time of a job in seconds; NaN if it is not known. */
double job_sample_time(const struct timed_jobs *jobs, const struct timed_job *j,
		       const struct series *s, enum form form);

/* Computes the measures. They are not defined if there are less than 3 jobs or intervals. */
void job_sample_associate(struct associated *a, const struct job_sample *s,
			  const struct associate_options *how);

#endif
