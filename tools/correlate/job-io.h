/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O of the jobs themselves: their characteristics (Madireddy and others 2017, table I),
 * jobs with other I/O than most (eta of equation 7 is not constant), and the fraction of the
 * system's I/O that the jobs did (figure 13). */
#ifndef IOSPAN_CORRELATE_JOB_IO_H
#define IOSPAN_CORRELATE_JOB_IO_H

#include "tools/correlate/correlate.h"

/* A job differs if its I/O differs from the median by more than this fraction of the median. */
#define JOB_IO_SAME 0.01

/* The bytes of system and jobs in each interval of the system data. */
struct coverage {
	u32 n; /* number of intervals; 0: the bytes of the jobs or of the system are unknown */
	double *system_bytes, *jobs_bytes;
	double system_sum, jobs_sum;
};

struct coverage coverage_of(const struct timed_jobs *jobs, const struct series *system);
void coverage_release(struct coverage *c);

/* Returns the median of the volume @k (enum volume) over the jobs, on the selected or on all file
 * systems; NaN: no job has one. Sets *@n to the number of jobs that have one. */
double job_io_median(const struct timed_jobs *jobs, int k, bool selected, u32 *n);

/* Returns the number of jobs that did other I/O than most jobs. Stores their indexes in @list,
 * which has room for all jobs. @list may be NULL. */
u32 job_io_different(const struct timed_jobs *jobs, u32 *list);

/* Adds a note to @notes if jobs did different I/O. */
void job_io_note(struct out *notes, const struct timed_jobs *jobs);

#endif
