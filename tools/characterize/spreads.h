/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions of the criteria that depend on --threshold over the jobs of a log. */
#ifndef IOSPAN_SPREADS_H
#define IOSPAN_SPREADS_H

#include "tools/characterize/job.h"

#define TENTHS 10

/* Values of a criterion over the jobs, ascending, for one threshold and direction. */
struct spread {
	double *at;
	u32 n;
};

struct spreads {
	const struct job_list *jobs;
	/* of[row * DIRECTIONS + direction]; rows are in the order of criteria_each() */
	struct spread *of;
	u32 rows;
	u32 n; /* current row, while criteria_each() runs */
	struct jobs_result result;
};

/* The caller frees it by spreads_release(). */
struct spreads spreads_of(const struct job *j);
void spreads_release(struct spreads *s);

/* The smallest value that at least @tenths tenths of the jobs do not exceed; NaN without values. */
double spread_tenth(const struct spread *s, u32 tenths);

#endif
