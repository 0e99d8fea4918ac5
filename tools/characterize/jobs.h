/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many jobs in one log of counters. Each job is a time range and the servers that it used. */
#ifndef IOSPAN_JOBS_H
#define IOSPAN_JOBS_H

#include "tools/characterize/character.h"

#define JOBS_MAX (1U << 20)
#define JOBS_JSON 5000 /* most jobs in a JSON document, about 80 kB of memory each */

struct job_range {
	char *name;
	u64 start_ns, end_ns;
	char *servers; /* separated by blanks; "": all servers of the log */
};

struct job_list {
	struct job_range *at;
	u32 n;
};

/* Reads @path, CSV with the columns job, start_ns or start_s, end_ns or end_s, and optionally
 * servers. Returns 0 or -errno; prints the error. */
int jobs_read(struct job_list *l, const char *path);
void jobs_release(struct job_list *l);

struct jobs_result {
	u64 unknown; /* servers that a job names and the log lacks; they count as idle */
	u64 outside; /* jobs outside the time of the log; they are left out */
};

/* Characterises each job of @l from @log, with the thresholds of @log, and passes it to @fn. An
 * interval that the job's start or end cuts belongs to the job. Adds to @result. */
void jobs_each(const struct job_list *l, const struct character *log, struct jobs_result *result,
	       void (*fn)(void *arg, const struct character *c), void *arg);

#endif
