/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The job that is characterised: from where it is read, and what of it is wanted. */
#ifndef IOSPAN_JOB_H
#define IOSPAN_JOB_H

#include "tools/characterize/character.h"
#include "tools/report/evidence.h"
#include "tools/input/input.h"
#include "tools/characterize/jobs.h"

#define JOB_LAYERS (LAYERS + 1) /* and the servers of a log of counters */

struct job {
	char *const *paths; /* NULL-ended */
	char *const *live;  /* a command's words, of which they are a trace that does
					 * not last; NULL: they are the user's */
	u64 interval_ns;    /* 0: as the counters have it, or 1 s */
	u64 thresholds[THRESHOLDS_MAX];
	u32 thresholds_n;
	u64 small;
	u64 from_ns, to_ns;	    /* after the begin; to: 0: the end */
	bool cumulative;	    /* of counters */
	const char *jobs;	    /* the list of those that are wanted of counters; NULL: it
					 * is one job */
	struct trace_filter filter; /* of accesses */
	/* what came of it */
	bool is_log; /* of counters: no accesses, no evidence */
	struct counters_log log;
	struct job_list list;
	struct character of[JOB_LAYERS]; /* without ->layer: nothing is known of it */
	u64 begin_ns, elapsed_ns, accesses;
	u64 late; /* accesses whose order was given up */
	struct evidence evidence;
};

/* Reads all of ->paths. -errno, printed. */
int job_read(struct job *j);
void job_release(struct job *j);

#endif
