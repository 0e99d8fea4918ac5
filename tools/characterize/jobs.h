/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Characterises many jobs from one log of counters, which has counters of each I/O server (a disk
 * or a file system) per interval. A job (--jobs) is a time range and a set of servers. */
#ifndef IOSPAN_JOBS_H
#define IOSPAN_JOBS_H

#include "tools/characterize/character.h"

#define JOBS_MAX (1U << 20)
/* The JSON document has at most this many jobs, because each job takes about 90 kB of memory in the
 * document. */
#define JOBS_JSON 5000

struct job_range {
	char *name;
	u64 start_ns, end_ns;
	/* names of the job's servers, separated by blanks; "": all servers of the log */
	char *servers;
	char *cgroup; /* in a trace: pattern for the job's cgroups; "": all */
};

struct job_list {
	struct job_range *at;
	u32 n, room;
	/* option --least-duration: shorter jobs are left out, and counted in .brief */
	u64 least_ns;
	u32 brief;
};

/* Reads the list of jobs from the CSV file @path. It has columns for the job, the start and the end
 * (in ns or s), and optionally for the servers and the cgroup. Returns 0 or -errno; prints the
 * error. */
int jobs_read(struct job_list *l, const char *path);
void jobs_release(struct job_list *l);

struct jobs_result {
	/* how often a job names a server that the log lacks; iospan treats this server as idle */
	u64 unknown;
	/* number of jobs that are left out, because they are outside of the log's time */
	u64 outside;
};

/* Computes the criteria of each job from the counters in @log. Calls @fn for each job, with @arg
 * and the criteria. If a job uses only a part of an interval, the whole interval belongs to the
 * job. Stores in @result how many jobs are left out. */
void jobs_each(const struct job_list *l, const struct character *log, struct jobs_result *result,
	       void (*fn)(void *arg, const struct character *c), void *arg);

#endif
