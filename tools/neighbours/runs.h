/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a command repeatedly, and measures the I/O of all other cgroups during each run, to find the
 * cgroup that slows the command down. Each run is a job. The I/O of the other cgroups is the system
 * data: a table with a row per interval and columns for each cgroup. */
#ifndef IOSPAN_RUNS_H
#define IOSPAN_RUNS_H

#include "user/show/show.h"
#include "tools/correlate/correlate.h"
#include "tools/neighbours/joint.h"

/* Minimum number of successful runs. With fewer runs, a strong correlation is often due to
 * chance. */
#define RUNS_LEAST 10

/* Maximum number of cgroups to test. If there are more, those with the most bytes are tested. The
 * limit exists because each tested cgroup raises the corrected p-values of the others. */
#define RUNS_MOST_GROUPS 32
/* A cgroup is tested if it has at least this fraction of all bytes, or of all operations. */
#define RUNS_LEAST_FRACTION 0.001
/* The first 2 columns of the system data are sums over all other cgroups: bytes and operations. */
#define RUNS_SUMS 2

struct runs_options {
	char **argv;
	u64 count, pause_ns, interval_ns;
	const char *attribution;
};

struct runs {
	/* one job per run, with two times: FORM_RUN (elapsed) and FORM_SPAN (device I/O in
	 * flight) */
	struct timed_jobs jobs;
	/* I/O of all other cgroups per interval; intervals end at the start and the end of each
	 * run */
	struct series system;
	char **argv;
	u32 failed; /* number of runs that are left out because the command failed */
	bool asked; /* true if a signal asked to stop before all runs were done */
	/* bytes of I/O of the command's parent cgroups; this I/O is not in .system, because the
	 * command may have caused it */
	double above_bytes;
	struct tracer_options options;
	/* measurement of all runs together; it has the numbers of lost events */
	struct measurement *m;
	/* model of all cgroups together; the caller of runs_measure() computes it */
	struct joint joint;
};

/* Runs the command repeatedly, and stores the results in @r. Returns 0, -ENODATA if fewer than
 * RUNS_LEAST runs succeeded, or another -errno; prints the error. The caller calls
 * runs_release() even after an error. */
int runs_measure(struct runs *r, const struct runs_options *o);
void runs_release(struct runs *r);

#endif
