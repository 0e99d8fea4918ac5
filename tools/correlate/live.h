/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a command repeatedly and measures the I/O of all other cgroups during each run. */
#ifndef IOSPAN_LIVE_H
#define IOSPAN_LIVE_H

#include "user/show/show.h"
#include "tools/correlate/correlate.h"
#include "tools/correlate/joint.h"

/* minimum number of runs; with fewer, strong correlations are often due to chance */
#define LIVE_LEAST_RUNS 10

/* The number of cgroups is limited, because each additional one raises the corrected p of all
 * others. */
/* maximum number of cgroups; those with the most bytes are kept */
#define LIVE_MOST_GROUPS 32
/* minimum fraction of all bytes, or of all operations, for a cgroup */
#define LIVE_LEAST_FRACTION 0.001
/* number of sums over all other cgroups; they are the first columns */
#define LIVE_OTHERS 2

struct live_options {
	char **argv;
	u64 repeat, pause_ns, interval_ns;
	const char *attribution; /* argument of --attribution */
};

struct live {
	/* the runs; their I/O times are FORM_RUN and FORM_SPAN (T at the device layer) */
	struct timed_jobs jobs;
	/* I/O of the other cgroups; an interval starts and ends with each run */
	struct series system;
	char **argv;
	u32 failed; /* number of failed runs, which are left out */
	bool asked; /* true if the user ended the runs early */
	/* bytes of parent cgroups, which are left out because the command may have caused them */
	double above_bytes;
	struct tracer_options options;
	struct measurement *m; /* all runs together, for the losses */
	struct joint joint;    /* joint effect of the columns of cgroups; set by the caller */
};

/* Runs the command repeatedly; its stdout goes to stderr. Returns 0, or -ENODATA if too few runs
 * succeeded, or -errno; prints the error. Call live_release() even after an error. */
int live_run(struct live *l, const struct live_options *o);
void live_release(struct live *l);

#endif
