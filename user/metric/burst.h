/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Burstiness rho and parallel I/O intensity Pi and P of successive intervals: criteria 2.9 and 3.1
 * of El Sayed, Bolten, Pleiter and Frings, PDSW-DISCS 2016, doi 10.1109/PDSW-DISCS.2016.006:
 *
 * delta(s, i)     1 if server s moved more than c bytes in interval i, else 0
 *
 * H(i)            1 if delta(s, i) is 1 for any server s, else 0
 *
 * l_IO, l_noIO    mean lengths of the runs of intervals with H = 1, and of those with H = 0
 *
 * rho             1 - tanh(l_IO / l_noIO); 0 if H is 1 everywhere, and 1 if it is 0 everywhere
 *
 * Pi              mean fraction of servers with delta = 1, over the intervals with H = 1
 *
 * P               (S Pi - 1) / (S - 1), with S servers
 *
 * The paper defines the denominator of Pi as a sum of delta, but does not say over which servers.
 * iospan uses the sum of H. With this sum, P is 1 if all servers take part, and 0 if one server
 * does, as the paper states. The first run may have started before the first interval that was
 * added, and the last run may continue after the last one. Only intervals that were added are in
 * the length of a run. */
#ifndef IOSPAN_METRIC_BURST_H
#define IOSPAN_METRIC_BURST_H

#include <stdbool.h>
#include "bpf/types.h"

/* Sums over the intervals. All zero: there are no intervals yet. */
struct burst {
	/* .intervals: number of all intervals. .active: number of intervals with I/O (H = 1). */
	u64 intervals, active;
	/* A run is a maximal sequence of successive intervals of the same kind. .runs_io: number of
	 * runs of intervals with I/O. .runs_idle: number of runs of intervals without I/O. */
	u64 runs_io, runs_idle;
	u64 deltas; /* sum of delta over servers and intervals */
	bool last;  /* H of the last interval */
};

/* Adds an interval in which @servers servers moved more than c bytes. */
void burst_add(struct burst *b, u32 servers);

/* Return the mean number of intervals in a run with I/O, and in a run without I/O. Return 0 if
 * there is no such run. */
double burst_io_length(const struct burst *b);
double burst_idle_length(const struct burst *b);

double burst_rho(const struct burst *b);

/* Return Pi and P for @servers servers. Both are NaN if there is no I/O. P is also NaN if there is
 * only one server. */
double burst_pi(const struct burst *b, u32 servers);
double burst_p(const struct burst *b, u32 servers);

#endif
