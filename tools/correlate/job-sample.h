/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the pairs to correlate, one per job: the I/O of the system during the job, and the I/O
 * time of the job (Madireddy and others 2017, equation 8). The system data has the I/O of the whole
 * system per interval, with a column for each amount, such as the bytes of a cgroup. */
#ifndef IOSPAN_JOB_SAMPLE_H
#define IOSPAN_JOB_SAMPLE_H

#include "tools/correlate/associate.h"
#include "tools/correlate/timed-jobs.h"

struct correlate_options;

struct job_sample {
	/* I/O of the system during each job: an amount or, with correlate_options.rates, an amount
	 * per second */
	double *x;
	double *y; /* I/O time of each job in seconds */
	size_t n;
	u32 intervals; /* number of intervals of the system data in which at least one job runs */
};

struct job_sample job_sample_new(size_t most);
void job_sample_release(struct job_sample *s);

/* Returns the pairs of the I/O time @form and the column @column of the system data @s. Leaves out
 * a job if a value is unknown, or if @s does not cover the job. The caller calls
 * job_sample_release(). */
struct job_sample job_sample_gather(const struct correlate_options *o,
				    const struct timed_jobs *jobs, const struct series *s,
				    enum form form, u32 column);

/* Returns the I/O time of the kind @form of job @j in seconds, or NaN if it is unknown. */
double job_sample_time(const struct timed_jobs *jobs, const struct timed_job *j,
		       const struct series *s, enum form form);

/* Returns the amount of I/O of the system in @column during job @j. If o->rates is true, divides
 * the amount by the length of the job's window in seconds. */
double job_sample_amount(const struct correlate_options *o, const struct timed_jobs *jobs,
			 const struct timed_job *j, const struct series *s, u32 column);

/* Computes the measures of dependence for the pairs @s. With fewer than 3 jobs or 3 intervals, the
 * measures are NaN. */
void job_sample_associate(struct associated *a, const struct job_sample *s,
			  const struct associate_options *how);

#endif
