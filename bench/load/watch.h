/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a load and makes its result. The load starts with a warm-up, which is not measured. Then
 * come intervals, until a condition for the end of the load is met. */
#ifndef IOSPAN_LOAD_WATCH_H
#define IOSPAN_LOAD_WATCH_H

#include "bench/load/load-result.h"
#include "user/base/output.h"

struct watch_options {
	u64 time_ns; /* duration of the measurement; unused with .steady or a number of requests */
	u64 warm_up_ns, round_ns;
	/* at this time (now_ns()), the load ends with END_DEADLINE; 0: no deadline */
	u64 deadline_ns;
	/* the load goes on after .time_ns until at least this number of requests has ended */
	u64 least;
	/* the load ends when half the confidence interval is at most this fraction of the rate; 0:
	 * never */
	double until_ci;
	bool steady; /* the load ends when the rate is steady, or after STEADY_ROUNDS intervals */
	/* file that gets a line of JSON per interval, by output_live(); NULL: no log */
	struct output *live;
	bool of_bytes; /* true: the rate is in bytes per second; false: in requests per second */
	bool silent;
	/* the load runs in the cgroup of this session; NULL: in the caller's cgroup */
	const struct session *session;
	int signals; /* descriptor from signals_catch(); a signal on it ends the load */
};

/* Starts and runs the load @l, and fills in @r. If @layers is not NULL, also measures the vfs and
 * device layers; @o->session must then be the session of @layers. Returns 0 if @r is valid. Returns
 * -EINTR, without a message, if a signal came before the measurement. Otherwise returns -errno and
 * prints the error. */
int watch_load(struct load *l, const struct watch_options *o, struct layers *layers,
	       struct load_result *r);

/* Makes a load by load_new() and runs it by watch_load(), to its end. Returns -EINTR if a signal
 * ended the load, or -ETIME if the deadline ended it; in both cases, prints nothing. After an
 * error, prints the error and returns -EIO. */
int watch_whole_load(const struct load_spec *spec, const int *fds, unsigned n,
		     const struct watch_options *o, struct layers *layers, struct load_result *r);

#endif
