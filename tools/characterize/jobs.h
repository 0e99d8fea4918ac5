/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many jobs of one log of counters: each is a time range and the servers that it used. */
#ifndef IOSPAN_JOBS_H
#define IOSPAN_JOBS_H

#include "tools/characterize/character.h"

#define JOBS_MAX (1U << 20)
#define JOBS_JSON 5000 /* in one document: some 80 kB of memory each */

struct job_range {
	char *name;
	u64 start_ns, end_ns;
	char *servers; /* with blanks between them; "": all of the log */
};

struct job_list {
	struct job_range *at;
	u32 n;
};

/* Reads @path, CSV with the columns job, start_ns or start_s, end_ns or end_s and, if not all
 * are used by all, servers. -errno, printed. */
int jobs_read(struct job_list *l, const char *path);
void jobs_release(struct job_list *l);

struct jobs_result {
	u64 unknown; /* servers of jobs that the log does not have: without I/O */
	u64 outside; /* jobs of which the log has nothing: left out */
};

/* Characterises each job of @l by what @log has of it, with its thresholds, and hands it to @fn.
 * Intervals that are cut by the job's begin or end belong to it. */
void jobs_each(const struct job_list *l, const struct character *log, struct jobs_result *result,
	       void (*fn)(void *arg, const struct character *c), void *arg);

#endif
