/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The job to characterise: its input, the options and the results. */
#ifndef IOSPAN_JOB_H
#define IOSPAN_JOB_H

#include "tools/characterize/character.h"
#include "tools/report/evidence.h"
#include "tools/input/input.h"
#include "tools/characterize/jobs.h"

#define JOB_LAYERS (LAYERS + 1) /* the last one is for the servers of a log of counters */

struct job {
	char *const *paths; /* the last one is NULL */
	char *const *live;  /* command of --live, or NULL; @paths is then its temporary trace */
	u64 interval_ns;    /* 0: the interval of the log, or 1 s for traces */
	u64 thresholds[THRESHOLDS_MAX];
	u32 thresholds_n;
	u64 small; /* in bytes; a request of fewer bytes is small */
	/* time range from the start of the input; to_ns 0: to the end */
	u64 from_ns, to_ns;
	bool cumulative; /* true if the counters are running totals */
	/* path of the list of jobs in a log; NULL if the input is one job */
	const char *jobs;
	struct trace_filter filter;
	/* job_read() sets the following fields. */
	/* true if the input is a log of counters, so there are no accesses and no evidence */
	bool is_log;
	struct counters_log log;
	struct job_list list;
	/* the results by layer; their @layer is NULL if the input does not have the layer */
	struct character of[JOB_LAYERS];
	u64 begin_ns, elapsed_ns, accesses;
	u64 late; /* number of accesses that were processed after one that starts later */
	struct evidence evidence;
};

/* Reads all files of j->paths. Returns 0, -errno or -EUSAGE; prints the error. */
int job_read(struct job *j);
void job_release(struct job *j);

#endif
