/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The job to characterise: its input, the options and the results. */
#ifndef IOSPAN_JOB_H
#define IOSPAN_JOB_H

#include "tools/characterize/character.h"
#include "tools/report/evidence.h"
#include "tools/input/input.h"
#include "tools/characterize/jobs.h"

#define JOB_LAYERS (LAYERS + 1) /* the last one: the servers of a log of counters */

struct job {
	char *const *paths; /* ends with NULL */
	char *const *live;  /* --live: the command; @paths is its temporary trace. Else NULL */
	u64 interval_ns;    /* 0: the interval of the log, or 1 s for traces */
	u64 thresholds[THRESHOLDS_MAX];
	u32 thresholds_n;
	u64 small;		    /* bytes; smaller requests are small */
	u64 from_ns, to_ns;	    /* from the start of the input; to_ns 0: the end */
	bool cumulative;	    /* the counters are running totals */
	const char *jobs;	    /* path of the list of jobs in a log; NULL: one job */
	struct trace_filter filter; /* of accesses */
	/* results */
	bool is_log; /* the input is a log of counters: no accesses, no evidence */
	struct counters_log log;
	struct job_list list;
	struct character of[JOB_LAYERS]; /* ->layer NULL: the input does not have this layer */
	u64 begin_ns, elapsed_ns, accesses;
	u64 late; /* accesses processed after one that starts later */
	struct evidence evidence;
};

/* Reads all of ->paths. Returns 0, -errno or -EUSAGE; prints the error. */
int job_read(struct job *j);
void job_release(struct job *j);

#endif
