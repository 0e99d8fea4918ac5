/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cut reads all counters during the measurement; an interval is the difference of two cuts. T of
 * an access in flight is divided; the access counts where it ends. So intervals add up. */
#ifndef IOSPAN_INTERVAL_H
#define IOSPAN_INTERVAL_H

#include "user/kernel/tracer.h"

struct cuts {
	struct tracer *tracer;
	struct measurement *last; /* measurement from the start to the last cut, without groups */
};

/* Makes the first cut. Returns 0, or -errno after an error message. */
int cuts_begin(struct cuts *c, struct tracer *t);

/* Makes a cut and sets *@m to the interval, without disks and groups that did nothing; free it with
 * measurement_free(). Returns 0, or -errno after an error message. */
int cuts_next(struct cuts *c, struct measurement **m);

void cuts_end(struct cuts *c); /* frees the last measurement; the tracer stays attached */

#endif
