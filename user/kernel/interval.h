/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures intervals. A cut reads all counters during the measurement; accesses in flight go on. An
 * interval is the difference between two cuts. If an access is in flight at a cut, its T is divided
 * between the two intervals, and the access counts in the interval in which it ends. So the
 * intervals add up to the whole measurement. */
#ifndef IOSPAN_INTERVAL_H
#define IOSPAN_INTERVAL_H

#include "user/kernel/tracer.h"

struct cuts {
	struct tracer *tracer;
	struct measurement *last; /* measurement from the start to the last cut, without groups */
};

/* Makes the first cut. Returns 0 or -errno, and prints the error. */
int cuts_begin(struct cuts *c, struct tracer *t);

/* Makes a cut and sets *@m to the interval since the last cut, without disks and groups that did
 * nothing. The caller frees it with measurement_free(). Returns 0 or -errno, and prints the
 * error. */
int cuts_next(struct cuts *c, struct measurement **m);

void cuts_end(struct cuts *c); /* frees the last measurement; the tracer stays attached */

#endif
