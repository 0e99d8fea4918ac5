/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O of the jobs themselves: their characteristics (Madireddy and others 2017, table I),
 * jobs with other I/O than most (eta of equation 7 is not constant), and the fraction of the
 * system's I/O that the jobs did (figure 13). */
#ifndef IOSPAN_CORRELATE_JOB_IO_H
#define IOSPAN_CORRELATE_JOB_IO_H

#include "tools/correlate/correlate.h"

/* The bytes of system and jobs in each interval of the system data. */
struct coverage {
	u32 n; /* number of intervals; 0: the bytes of the jobs or of the system are unknown */
	double *system_bytes, *jobs_bytes;
	double system_sum, jobs_sum;
};

struct coverage coverage_of(const struct timed_jobs *jobs, const struct series *system);
void coverage_release(struct coverage *c);

/* Adds a note to @notes if jobs did different I/O. */
void job_io_note(struct out *notes, const struct timed_jobs *jobs);

/* Adds job_io, different_jobs, coverage and jobs to @doc. */
void job_io_json(struct out *doc, const struct correlation_study *c);

#endif
