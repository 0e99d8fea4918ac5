/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measurements of the intervals between cuts. A cut reads all counters and ends no access. The T of
 * an access in flight is divided at the cut, and the access counts in the interval in which it
 * ends. So the intervals add up to the whole. */
#ifndef IOSPAN_INTERVAL_H
#define IOSPAN_INTERVAL_H

#include "user/kernel/tracer.h"

struct cuts {
	struct tracer *tracer;
	struct measurement *last; /* from the start to the last cut, without groups */
};

/* Makes the first cut. Returns 0 or -errno; prints the error. */
int cuts_begin(struct cuts *c, struct tracer *t);

/* Makes a cut. *@m: the interval since the last cut, without disks and groups that did nothing, for
 * measurement_free(). Returns 0 or -errno; prints the error. */
int cuts_next(struct cuts *c, struct measurement **m);

void cuts_end(struct cuts *c); /* the tracer stays */

#endif
