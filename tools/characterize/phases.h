/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Burstiness and parallel I/O intensity: criteria 2.9 and 3.1 of El Sayed, Bolten, Pleiter and
 * Frings, "Parallel I/O Characterisation Based on Server-Side Performance Counters", PDSW-DISCS
 * 2016, doi 10.1109/PDSW-DISCS.2016.006:
 *
 * delta(s, i)     1 if server s moved more than c bytes in interval i, else 0
 * H(i)            1 if delta(s, i) is 1 for any server s, else 0
 * l_IO, l_noIO    mean lengths of the runs of intervals with H = 1, and of those with H = 0
 * rho             1 - tanh(l_IO / l_noIO); 0 if H is 1 everywhere; 1 without any I/O, because
 *                 tanh(0) is 0
 * Pi              mean fraction of servers with delta = 1, over the intervals with H = 1
 * P               (S Pi - 1) / (S - 1), with S servers
 *
 * In the paper, the denominator of Pi is a sum of delta that names no server. iospan uses the sum
 * of H. With this sum, P is 1 if all servers take part, and 0 if one server does, as the paper
 * states. A run that extends beyond the job counts only with its intervals within the job. */
#ifndef IOSPAN_PHASES_H
#define IOSPAN_PHASES_H

#include "tools/characterize/counters.h"

struct phases {
	/* .intervals: number of all intervals. .active: number of intervals with I/O (H = 1). */
	u64 intervals, active;
	/* A run is a maximal sequence of successive intervals of the same kind. .runs_io: number of
	 * runs of intervals with I/O. .runs_idle: number of runs of intervals without I/O. */
	u64 runs_io, runs_idle;
	/* mean length of a run in intervals: .l_io with I/O, .l_idle without I/O; 0: there is no
	 * such run */
	double l_io, l_idle;
	double rho;
	/* Pi and P; NaN if there is no I/O; P is also NaN if there is only one server */
	double pi, p;
};

/* Computes rho, Pi and P for the direction @d. @threshold is c: in an interval with I/O, at least
 * one server moves more than c bytes. */
struct phases phases_of(const struct counters *c, enum direction d, u64 threshold);

#endif
