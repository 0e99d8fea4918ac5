/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a load: warm-up, then rounds until an end condition holds, and the result. */
#ifndef IOSPAN_LOAD_WATCH_H
#define IOSPAN_LOAD_WATCH_H

#include "bench/load/load-result.h"
#include "user/base/output.h"

struct watch_options {
	u64 time_ns; /* duration of the measurement; unused with a number of requests */
	u64 warm_up_ns, round_ns;
	u64 deadline_ns; /* now_ns() at which the load ends with END_DEADLINE; 0: none */
	u64 least;	 /* minimum of requests before time_ns ends the load */
	double until_ci; /* end at this relative half-width of the confidence interval; 0: never */
	bool steady;	 /* end in the steady state, or after STEADY_ROUNDS */
	struct output *live;	       /* a line of JSON per round, after output_live(); or NULL */
	bool of_bytes;		       /* rate in bytes, else in requests */
	bool silent;		       /* shows no progress */
	const struct session *session; /* cgroup of the load; NULL: that of the caller */
	int signals;		       /* from signals_catch() */
};

/* Starts and runs @l, and fills @r. Measures @layers too unless NULL; o->session is then their
 * session. Returns 0; -EINTR, not printed, after a signal before the measurement; else -errno and
 * prints the error. Only 0 gives a result. */
int watch_load(struct load *l, const struct watch_options *o, struct layers *layers,
	       struct load_result *r);

/* As watch_load(), for a load made from @spec, @fds and @n as by load_new(). A load that does not
 * complete is an error: -EINTR, not printed, after a signal; -ETIME, not printed, at the deadline;
 * -EIO. */
int watch_whole_load(const struct load_spec *spec, const int *fds, unsigned n,
		     const struct watch_options *o, struct layers *layers, struct load_result *r);

#endif
