/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a command repeatedly and measures the I/O of all other cgroups during each run. */
#ifndef IOSPAN_LIVE_H
#define IOSPAN_LIVE_H

#include "user/show/show.h"
#include "tools/correlate/correlate.h"
#include "tools/correlate/joint.h"

#define LIVE_LEAST_RUNS 10 /* with fewer, chance alone often looks as strong */

/* The number of cgroups is limited, because each one raises the corrected p of all others. */
#define LIVE_MOST_GROUPS 32	  /* most columns: the cgroups with most bytes */
#define LIVE_LEAST_FRACTION 0.001 /* least fraction of all bytes, or of all operations */
#define LIVE_OTHERS 2		  /* the first columns: the sums over all other cgroups */

struct live_options {
	char **argv;
	u64 repeat, pause_ns, interval_ns;
	const char *attribution; /* as for `iospan stat` */
};

struct live {
	struct timed_jobs jobs; /* the runs, with FORM_RUN and FORM_SPAN (T at the device layer) */
	struct series system;	/* an interval starts and ends with each run */
	char **argv;
	u32 failed;	    /* runs, left out */
	bool asked;	    /* the user ended the runs early */
	double above_bytes; /* bytes of parent cgroups, which the command may have caused */
	struct tracer_options options;
	struct measurement *m; /* all runs together, for the losses */
	struct joint joint;    /* joint effect of the columns of cgroups; set by the caller */
};

/* Runs the command; its stdout goes to stderr. Returns 0, -ENODATA if there are too few successful
 * runs, or -errno; prints the error. @l is to be released even after an error. */
int live_run(struct live *l, const struct live_options *o);
void live_release(struct live *l);

#endif
