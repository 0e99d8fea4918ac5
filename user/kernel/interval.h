/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cut reads all counters during the measurement. An interval is the difference of two cuts. An
 * access that is in flight at a cut is counted in the interval in which it ends. T, the time in
 * which at least one access is in flight, is divided at the cut. So the intervals add up to the
 * whole measurement. */
#ifndef IOSPAN_INTERVAL_H
#define IOSPAN_INTERVAL_H

#include "user/kernel/tracer.h"

struct cuts {
	struct tracer *tracer;
	struct measurement *last; /* measurement from the start to the last cut, without groups */
};

/* Makes the first cut. Returns 0, or -errno after an error message. */
int cuts_begin(struct cuts *c, struct tracer *t);

/* Makes a cut, and sets *@m to the interval since the previous cut. Leaves out disks, cgroups and
 * processes that did nothing in this interval. The caller frees *@m by measurement_free(). Returns
 * 0 or -errno; prints the error. */
int cuts_next(struct cuts *c, struct measurement **m);

void cuts_end(struct cuts *c); /* frees the last measurement; the tracer stays attached */

#endif
