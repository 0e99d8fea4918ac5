/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Characterises many jobs from one log of counters. A job (--jobs) is a time range and a set of
 * servers. */
#ifndef IOSPAN_JOBS_H
#define IOSPAN_JOBS_H

#include "tools/characterize/character.h"

#define JOBS_MAX (1U << 20)
/* a job takes about 90 kB in the JSON document, so more are refused */
#define JOBS_JSON 5000

struct job_range {
	char *name;
	u64 start_ns, end_ns;
	/* separated by blanks; "": all servers of the log */
	char *servers;
};

struct job_list {
	struct job_range *at;
	u32 n;
};

/* Reads CSV with the columns job, start_ns or start_s, end_ns or end_s, and optionally servers.
 * Returns 0 or -errno; prints the error. */
int jobs_read(struct job_list *l, const char *path);
void jobs_release(struct job_list *l);

struct jobs_result {
	/* times that a job names a server that the log lacks; it counts as idle */
	u64 unknown;
	/* number of jobs that are left out, because they are outside of the log's time */
	u64 outside;
};

/* Passes the criteria of each job to @fn. An interval that a job uses in part counts as a whole.
 * Adds to the counts in @result. */
void jobs_each(const struct job_list *l, const struct character *log, struct jobs_result *result,
	       void (*fn)(void *arg, const struct character *c), void *arg);

#endif
