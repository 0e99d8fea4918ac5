/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Burstiness and parallel I/O intensity of a job: criteria 2.9 and 3.1 of El Sayed, Bolten, Pleiter
 * and Frings, "Parallel I/O Characterisation Based on Server-Side Performance Counters", PDSW-DISCS
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
 * iospan uses the sum of H. Only then P has the values that the paper states: 1 if all servers take
 * part, 0 if one does. A run of intervals that the start or end of the job cuts counts with its
 * length within the job. Without any I/O, rho is 1 because tanh(0) is 0. */
#ifndef IOSPAN_PHASES_H
#define IOSPAN_PHASES_H

#include "tools/characterize/counters.h"

struct phases {
	u64 intervals, active; /* number of all intervals; number of intervals with I/O (H = 1) */
	u64 runs_io, runs_idle;
	/* mean length of a run of intervals with I/O, and of one without; in intervals; 0 if there
	 * is none */
	double l_io, l_idle;
	double rho;
	/* Pi and P; NaN if there is no I/O; P is also NaN if there is only one server */
	double pi, p;
};

/* Computes rho, Pi and P for reads, writes or both (@d). @threshold is c: an interval with at most
 * c bytes has no I/O. */
struct phases phases_of(const struct counters *c, enum direction d, u64 threshold);

#endif
