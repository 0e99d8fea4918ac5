/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When there was I/O, and on how many servers at once: El Sayed, Bolten, Pleiter and Frings,
 * "Parallel I/O Characterisation Based on Server-Side Performance Counters", PDSW-DISCS 2016.
 *
 *	delta(s, i)	1 if server s moved more than c bytes in interval i, else 0
 *	H(i)		1 if any server did
 *	rho		1 - tanh(l_IO / l_noIO), from the mean lengths of runs of intervals with
 *			and without H; 0 if there is none without
 *	Pi		mean share of the servers with delta, over the intervals with H
 *	P		(S Pi - 1) / (S - 1)
 *
 * The paper prints the denominator of Pi as a sum of delta without saying over what; only
 * with H has P the values that it states, 1 when all servers take part and 0 when one does.
 * Runs that the begin or the end of the job cuts count as they are. Without any I/O rho is
 * 1, as tanh 0 is 0. */
#ifndef IOSPAN_PHASES_H
#define IOSPAN_PHASES_H

#include "tools/characterize/counters.h"

struct phases {
	u64 intervals, active; /* all; those with H */
	u64 runs_io, runs_idle;
	double l_io, l_idle; /* mean lengths, in intervals; 0 without such a run */
	double rho;
	double pi, p; /* NaN: no interval with H; p: one server only */
};

struct phases phases_of(const struct counters *c, enum direction d, u64 threshold);

#endif
