/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Burstiness and parallel I/O intensity, criteria 2.9 and 3.1 of El Sayed, Bolten, Pleiter and
 * Frings, "Parallel I/O Characterisation Based on Server-Side Performance Counters", PDSW-DISCS
 * 2016, doi 10.1109/PDSW-DISCS.2016.006:
 *
 *	delta(s, i)	1 if server s moved more than c bytes in interval i, else 0
 *	H(i)		1 if delta(s, i) is 1 for any server s, else 0
 *	rho		1 - tanh(l_IO / l_noIO), where l_IO and l_noIO are the mean lengths of runs
 *			of intervals with and without H; 0 if H is 1 everywhere
 *	Pi		mean fraction of servers with delta = 1, over the intervals with H = 1
 *	P		(S Pi - 1) / (S - 1), with S servers
 *
 * The paper prints the denominator of Pi as a sum of delta, but does not say for which server.
 * iospan uses the sum of H. Only with it, P has the values that the paper states: 1 if all servers
 * take part, 0 if one does. If the start or end of the job cuts a run, the run counts with its
 * length within the job. Without any I/O, rho is 1 because tanh(0) is 0. */
#ifndef IOSPAN_PHASES_H
#define IOSPAN_PHASES_H

#include "tools/characterize/counters.h"

struct phases {
	u64 intervals, active; /* number of all intervals, and of those with I/O (H = 1) */
	u64 runs_io, runs_idle;
	double l_io, l_idle; /* mean lengths of the runs, in intervals; 0 if there is no run */
	double rho;
	double pi, p; /* NaN if there is no I/O; @p is also NaN if there is one server */
};

/* Computes rho, Pi and P for direction @d. @threshold is c, in bytes. */
struct phases phases_of(const struct counters *c, enum direction d, u64 threshold);

#endif
