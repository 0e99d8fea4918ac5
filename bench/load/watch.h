/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of a load: warm-up, then a round after the other until what was asked for has
 * come, and the result. */
#ifndef IOSPAN_WATCH_H
#define IOSPAN_WATCH_H

#include "bench/load/load-result.h"
#include "user/base/output.h"

struct watch_options {
	u64 time_ns; /* to measure; without meaning with a number of requests */
	u64 warm_up_ns, round_ns;
	u64 deadline_ns;     /* now_ns() at which the load ends with END_DEADLINE; 0: none */
	u64 least;	     /* requests before time_ns may end it */
	double until_ci;     /* end when the rate is known so well; 0: by time */
	bool steady;	     /* end when it is steady, or after STEADY_ROUNDS */
	struct output *live; /* for a line of JSON each round, after output_live(); or NULL */
	bool of_bytes;	     /* the rounds' rate; else of requests */
	bool silent;	     /* no progress on a terminal */
	const struct session *session; /* in whose group(s) the load is; NULL: ours */
	int signals;		       /* of signals_catch() */
};

/* Runs @l, that waits to be started, and fills @r. With @layers, whose session it then is,
 * they are measured along with it. -errno after an error was printed; then there is no
 * result. -EINTR: nor was an error, we were asked to end before anything was measured. */
int watch_load(struct load *l, const struct watch_options *o, struct layers *layers,
	       struct load_result *r);

/* The same of a load that is made for it, as by load_new(). What did not come to its end is an
 * error: -EINTR, not printed, after we were asked to end; -ETIME, not printed, at the deadline;
 * -EIO. */
int watch_whole_load(const struct load_spec *spec, const int *fds, unsigned n,
		     const struct watch_options *o, struct layers *layers, struct load_result *r);

#endif
