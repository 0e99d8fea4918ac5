/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Burstiness and parallel I/O intensity of counters; burst.h has the definitions. */
#ifndef IOSPAN_PHASES_H
#define IOSPAN_PHASES_H

#include "tools/characterize/counters.h"

struct phases {
	u64 intervals, active, runs_io, runs_idle; /* as in struct burst */
	double l_io, l_idle, rho, pi, p;	   /* as of the functions in burst.h */
};

/* Computes rho, Pi and P for the direction @d. @threshold is c: in an interval with I/O, at least
 * one server moves more than c bytes. */
struct phases phases_of(const struct counters *c, enum direction d, u64 threshold);

#endif
