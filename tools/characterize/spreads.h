/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the criteria that have a threshold are distributed over many jobs. */
#ifndef IOSPAN_SPREADS_H
#define IOSPAN_SPREADS_H

#include "tools/characterize/job.h"

#define TENTHS 10

/* The values of one criterion, threshold and direction, least first, of the jobs that have
 * one. */
struct spread {
	double *at;
	u32 n;
};

struct spreads {
	const struct job_list *jobs;
	struct spread *of; /* in the order of the rows, by direction */
	u32 rows, n;	   /* all, of all directions; so far, of one */
	struct jobs_result result;
};

struct spreads spreads_of(const struct job *j);
void spreads_release(struct spreads *s);

/* So many tenths of the jobs have no more; NaN: no job has a value. */
double spread_tenth(const struct spread *s, u32 tenths);

#endif
