/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job: the input and options of `characterize`, and the results of each layer. The input is
 * traces, or a log of counters of I/O servers (counters.h). With --jobs, the log has many jobs,
 * and each gets results of its own. */
#ifndef IOSPAN_JOB_H
#define IOSPAN_JOB_H

#include "tools/characterize/character.h"
#include "tools/report/evidence.h"
#include "tools/input/input.h"
#include "tools/characterize/jobs.h"

/* number of layers of a trace, plus one for the servers of a log of counters */
#define JOB_LAYERS (LAYERS + 1)

struct job {
	char *const *paths; /* input files; the last element is NULL */
	/* With --live: the measured command, or the text "this machine". @paths then names the
	 * temporary trace of the measurement. NULL: no --live. */
	char *const *live;
	u64 interval_ns; /* option --interval in ns; 0: the log's own interval, or 1 s for traces */
	u64 thresholds[THRESHOLDS_MAX];
	u32 thresholds_n;
	u64 small;
	/* options --from and --to, in ns from the start of the input; to_ns is 0 without --to */
	u64 from_ns, to_ns;
	bool cumulative;
	/* predict --job: a log of counters is refused, and .waiting, .working and .either are
	 * computed */
	bool for_forecast;
	/* option --jobs: file that lists the jobs of a log; NULL: the whole input is one job */
	const char *jobs;
	struct trace_filter filter;
	/* true if the input is a log of counters; false if it is traces */
	bool is_log;
	struct counters_log log;
	struct job_list list;
	/* results of each layer; of[i].layer is NULL if the input has no such layer */
	struct character of[JOB_LAYERS];
	u64 begin_ns, elapsed_ns, accesses;
	s64 epoch_ns; /* wall clock minus the clock of the traces; 0: unknown */
	/* true if this is one job of several in the traces; a filter then need not match */
	bool is_part;
	/* The lengths of these are W of vfs (Documentation/metrics.rst), T of the device layer, and
	 * the joint span of both. Empty without .for_forecast. */
	struct cover waiting, working, either;
	/* number of accesses that could not be sorted by start time, because they came too late:
	 * only VISITS_MAX accesses are held in memory for sorting */
	u64 late;
	struct evidence evidence;
};

/* Reads j->paths and computes the results. Returns 0, -errno or -EUSAGE; prints the error. */
int job_read(struct job *j);
void job_release(struct job *j);

/* Returns the layer that the conclusion is about, and from which --jobs are characterised: the
 * first one that moved bytes, in the order app, vfs, device, log of counters; NULL: none. */
const struct character *job_examined(const struct job *j);

/* Like jobs_each(), for the jobs of a log or of traces. In traces, a job is read anew, with its
 * time and cgroups as filters. */
void job_each(const struct job *j, struct jobs_result *result,
	      void (*fn)(void *arg, const struct character *c), void *arg);

#endif
