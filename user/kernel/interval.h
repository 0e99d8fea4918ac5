/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tracer has counted from one cut to the next. A cut reads all counters once and ends
 * nothing: what is in flight then has its T so far before the cut and the rest behind it, and
 * counts as an access where it ends. So what lies between the cuts adds up to the whole. */
#ifndef IOSPAN_INTERVAL_H
#define IOSPAN_INTERVAL_H

#include "user/kernel/tracer.h"

struct cuts {
	struct tracer *tracer;
	struct measurement *last; /* all up to the last cut, without groups */
};

/* The first cut. -errno, printed. */
int cuts_begin(struct cuts *c, struct tracer *t);

/* Cuts: *@m is what has come since the last time, for measurement_free(). Disks and groups that
 * did nothing are not in it. -errno, printed. */
int cuts_next(struct cuts *c, struct measurement **m);

void cuts_end(struct cuts *c); /* the tracer stays */

#endif
