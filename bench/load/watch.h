/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a load and makes its result: a warm-up, then intervals until an end condition holds. */
#ifndef IOSPAN_LOAD_WATCH_H
#define IOSPAN_LOAD_WATCH_H

#include "bench/load/load-result.h"
#include "user/base/output.h"

struct watch_options {
	u64 time_ns; /* duration of the measurement; unused if the number of requests is given */
	u64 warm_up_ns, round_ns;
	u64 deadline_ns; /* time (now_ns()) at which the load ends with END_DEADLINE; 0: never */
	u64 least;	 /* number of requests before which time_ns does not end the load */
	double until_ci; /* end at this half-width of the confidence interval / mean; 0: never */
	bool steady;	 /* end in the steady state, or after STEADY_ROUNDS intervals */
	/* file for a line of JSON per interval, after output_live(); or NULL */
	struct output *live;
	bool of_bytes; /* the rate counts bytes; false: requests */
	bool silent;   /* the load shows no progress */
	/* session of the cgroup in which the load runs; NULL: the caller's cgroup */
	const struct session *session;
	int signals; /* descriptor from signals_catch() */
};

/* Starts and runs @l, and sets @r. Measures @layers too, unless it is NULL; @o->session must then
 * be their session. Returns 0; -EINTR, not printed, after a signal before the measurement; else
 * -errno and prints the error. @r is valid only if this returns 0. */
int watch_load(struct load *l, const struct watch_options *o, struct layers *layers,
	       struct load_result *r);

/* Makes a load from @spec, @fds and @n by load_new(), and runs it by watch_load(). Fails if the
 * load does not complete: -EINTR after a signal and -ETIME at the deadline, both not printed; -EIO
 * after an error, printed. */
int watch_whole_load(const struct load_spec *spec, const int *fds, unsigned n,
		     const struct watch_options *o, struct layers *layers, struct load_result *r);

#endif
