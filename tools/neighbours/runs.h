/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a command repeatedly, and measures the I/O of all other cgroups during each run, to find the
 * cgroup that slows the command down. Each run is a job. The I/O of the other cgroups is the system
 * data: a table with an interval per row and two columns per cgroup, bytes and operations. */
#ifndef IOSPAN_RUNS_H
#define IOSPAN_RUNS_H

#include "user/show/show.h"
#include "tools/correlate/correlate.h"
#include "tools/neighbours/joint.h"

/* Minimum number of successful runs. With fewer runs, a strong correlation may be due to chance. */
#define RUNS_LEAST 10

/* At most this number of cgroups are tested: those with the most bytes. The number is limited
 * because each tested cgroup raises the corrected p-values of all others. */
#define RUNS_MOST_GROUPS 32
/* A cgroup is tested if it has at least this fraction of the bytes or of the operations of all
 * cgroups. */
#define RUNS_LEAST_FRACTION 0.001
/* The first 2 columns of the system data are sums over all other cgroups: bytes and operations. */
#define RUNS_SUMS 2

struct runs_options {
	char **argv;
	u64 count, pause_ns, interval_ns;
	const char *attribution;
};

struct runs {
	/* One job per run, with two times. FORM_RUN is the elapsed time, FORM_SPAN the time in
	 * which the command had disk I/O in flight. */
	struct timed_jobs jobs;
	/* I/O of all other cgroups per interval. Each run starts and ends at the border of two
	 * intervals. */
	struct series system;
	char **argv;
	u32 failed; /* number of runs that are left out because the command failed */
	bool asked; /* true if a signal asked to stop before all runs were done */
	/* Bytes of I/O of the parent cgroups of the command. They are not in .system, because the
	 * command itself may have caused them. */
	double above_bytes;
	struct tracer_options options;
	/* measurement of all runs together, with the numbers of lost events */
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
