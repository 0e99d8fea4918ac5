/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job: the input and options of `characterize`, and the results of each layer. The input is
 * traces, or a log of counters of I/O servers (counters.h). With --jobs, the input has many jobs,
 * and each job gets results of its own. */
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
	/* true for `predict --job`: refuse a log of counters, and compute .waiting, .working,
	 * .either and .syncing */
	bool for_forecast;
	/* option --jobs: file that lists the jobs of the input; NULL: the whole input is one job */
	const char *jobs;
	struct trace_filter filter;
	bool is_log;
	struct counters_log log;
	struct job_list list;
	/* results of each layer; of[i].layer is NULL if the input lacks layer i */
	struct character of[JOB_LAYERS];
	u64 begin_ns, elapsed_ns, accesses;
	s64 epoch_ns; /* wall clock minus the clock of the traces; 0: unknown */
	/* true if this is one of several jobs of the traces; then it is no error if a filter
	 * matches no access */
	bool is_part;
	/* Times in which I/O was in flight; empty unless .for_forecast is true. .waiting: calls of
	 * layer vfs. .working: accesses of the device layer. .either: calls or accesses.
	 * .syncing: syncs of layer vfs, or accesses of the device layer. */
	struct cover waiting, working, either, syncing;
	bool is_stacked; /* accesses of stacked disks are counted, because --device selects them */
	/* number of accesses that came too late to be sorted by start time, because only VISITS_MAX
	 * accesses are held in memory */
	u64 late;
	struct evidence evidence;
};

/* Reads j->paths and computes the results. Returns 0, -errno or -EUSAGE; prints the error. */
int job_read(struct job *j);
void job_release(struct job *j);

/* Returns the first layer that moved bytes, in the order app, vfs, device, log of counters. NULL:
 * no layer moved bytes. The conclusion is about this layer, and --jobs shows this layer of each
 * job. */
const struct character *job_examined(const struct job *j);

/* Computes the results of each job in the list of --jobs, and passes them to @fn with @arg. Sets
 * @result as jobs_each() does. If the input is traces, reads them again for each job. */
void job_each(const struct job *j, struct jobs_result *result,
	      void (*fn)(void *arg, const struct character *c), void *arg);

#endif
