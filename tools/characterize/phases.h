/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Burstiness and parallel I/O intensity, criteria 2.9 and 3.1 of El Sayed, Bolten, Pleiter and
 * Frings, "Parallel I/O Characterisation Based on Server-Side Performance Counters", PDSW-DISCS
 * 2016, doi 10.1109/PDSW-DISCS.2016.006:
 *
 *	delta(s, i)	1 if server s moved more than c bytes in interval i, else 0
 *	H(i)		1 if any server did
 *	rho		1 - tanh(l_IO / l_noIO), where l_IO and l_noIO are the mean lengths of runs
 *			of intervals with and without H; 0 if H is 1 everywhere
 *	Pi		mean fraction of servers with delta = 1, over the intervals with H = 1
 *	P		(S Pi - 1) / (S - 1), with S servers
 *
 * The paper prints the denominator of Pi as a sum of delta and does not name the server. iospan
 * uses the sum of H. Only then P has the stated values: 1 if all servers take part, 0 if one does.
 * A run that the start or end of the job cuts counts with the length that is left. Without any
 * I/O, rho is 1 because tanh(0) is 0. */
#ifndef IOSPAN_PHASES_H
#define IOSPAN_PHASES_H

#include "tools/characterize/counters.h"

struct phases {
	u64 intervals, active; /* number of all intervals; of those with H = 1 */
	u64 runs_io, runs_idle;
	double l_io, l_idle; /* mean lengths of the runs, in intervals; 0 without a run */
	double rho;
	double pi, p; /* NaN without I/O; p also with one server */
};

/* @threshold: c, in bytes. */
struct phases phases_of(const struct counters *c, enum direction d, u64 threshold);

#endif
