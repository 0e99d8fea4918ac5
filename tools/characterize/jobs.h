/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many jobs in one log of counters. Each job has a time range and the servers that it used. */
#ifndef IOSPAN_JOBS_H
#define IOSPAN_JOBS_H

#include "tools/characterize/character.h"

#define JOBS_MAX (1U << 20)
/* maximum number of jobs in a JSON document; each takes about 90 kB of memory */
#define JOBS_JSON 5000

struct job_range {
	char *name;
	u64 start_ns, end_ns;
	/* names of servers, separated by blanks; "" stands for all servers of the log */
	char *servers;
};

struct job_list {
	struct job_range *at;
	u32 n;
};

/* Reads the list of jobs from @path. It is CSV with the columns job, start_ns or start_s, end_ns
 * or end_s, and optionally servers. Returns 0 or -errno; prints the error. */
int jobs_read(struct job_list *l, const char *path);
void jobs_release(struct job_list *l);

struct jobs_result {
	/* number of servers that jobs name and the log does not have; they count as idle */
	u64 unknown;
	u64 outside; /* number of jobs outside the time of the log; they are left out */
};

/* Characterises each job of @l from the counters and thresholds of @log, and passes it to @fn.
 * If the start or end of the job lies within an interval, the whole interval belongs to the job.
 * Adds to the counts in @result. */
void jobs_each(const struct job_list *l, const struct character *log, struct jobs_result *result,
	       void (*fn)(void *arg, const struct character *c), void *arg);

#endif
