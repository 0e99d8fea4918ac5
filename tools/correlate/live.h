/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a command repeatedly, and measures the I/O of all other cgroups during each run, to find
 * the cgroup that slows the command down. Each run is a job. The I/O of the others is the system
 * data: amounts per interval, with columns for each cgroup. */
#ifndef IOSPAN_LIVE_H
#define IOSPAN_LIVE_H

#include "user/show/show.h"
#include "tools/correlate/correlate.h"
#include "tools/correlate/joint.h"

/* Minimum number of successful runs. With fewer runs, a strong correlation is often due to
 * chance. */
#define LIVE_LEAST_RUNS 10

/* Maximum number of cgroups to test; those with the most bytes are chosen. Each tested cgroup
 * raises the corrected p-values of the others. */
#define LIVE_MOST_GROUPS 32
/* A cgroup is tested if it has at least this fraction of all bytes, or of all operations. */
#define LIVE_LEAST_FRACTION 0.001
/* The first 2 columns of the system data are sums over all other cgroups: bytes and operations. */
#define LIVE_OTHERS 2

struct live_options {
	char **argv;
	u64 repeat, pause_ns, interval_ns;
	const char *attribution;
};

struct live {
	/* one job per run, with FORM_RUN (elapsed time) and FORM_SPAN (T at layer device) */
	struct timed_jobs jobs;
	/* I/O of all other cgroups per interval; intervals end at the start and the end of each
	 * run */
	struct series system;
	char **argv;
	u32 failed; /* number of runs that are left out because the command failed */
	bool asked; /* true if a signal ended the measurement before all runs */
	/* bytes of the command's parent cgroups; they are not in @system, because the command may
	 * have moved them itself */
	double above_bytes;
	struct tracer_options options;
	/* measurement of all runs together; it has the numbers of lost events */
	struct measurement *m;
	/* model of all cgroups together; the caller of live_run() computes it */
	struct joint joint;
};

/* Runs the command repeatedly, and stores the results in @l. Returns 0, -ENODATA if fewer than
 * LIVE_LEAST_RUNS runs succeeded, or another -errno; prints the error. The caller calls
 * live_release() even after an error. */
int live_run(struct live *l, const struct live_options *o);
void live_release(struct live *l);

#endif
