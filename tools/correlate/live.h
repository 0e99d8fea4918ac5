/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command that is run again and again, and what all others did meanwhile. */
#ifndef IOSPAN_LIVE_H
#define IOSPAN_LIVE_H

#include "user/show/show.h"
#include "tools/correlate/correlate.h"
#include "tools/correlate/joint.h"

#define LIVE_LEAST_RUNS 10 /* fewer tell nothing from chance */

/* Each that is looked at makes p of all the others greater. */
#define LIVE_MOST_GROUPS 32    /* those with most bytes, */
#define LIVE_LEAST_SHARE 0.001 /* of all bytes, or all ops */
#define LIVE_OTHERS 2	       /* columns of all others together come first */

struct live_options {
	char **argv;
	u64 repeat, pause_ns, interval_ns;
	const char *attribution; /* as `iospan stat` takes it */
};

struct live {
	struct timed_jobs jobs; /* the runs; of each how long it took, and T of its disk
					 * accesses */
	struct series system;	/* first all others, then each of them; cut where a run
					 * begins and ends */
	char **argv;
	u32 failed;	    /* runs that are left out */
	bool asked;	    /* to end before all were done */
	double above_bytes; /* of groups that the command's is in: they may be its own */
	struct tracer_options options;
	struct measurement *m;		       /* all of it, for what was lost */
	const struct correlation_study *study; /* of jobs and system; the caller's */
	struct joint joint;		       /* of its columns of groups */
};

/* What the command prints goes to the standard error. -ENODATA, printed, if the runs are too few;
 * -errno, printed. */
int live_run(struct live *l, const struct live_options *o);
void live_release(struct live *l);

#endif
