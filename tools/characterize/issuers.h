/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes how many processes issue accesses at the same time, and how many accesses each of them
 * has in flight. */
#ifndef IOSPAN_ISSUERS_H
#define IOSPAN_ISSUERS_H

#include "user/metric/span.h"

/* All processes. A zeroed struct is ready for use, after .pause_ns is set. */
struct issuers {
	/* A process issues accesses from the start of an access on. It stops at the end of an
	 * access if it has none in flight for longer than .pause_ns after that. */
	u64 pause_ns;
	struct issuer *of; /* of[i]: the process with number i in the trace */
	u32 n;
	struct cover issuing; /* times in which at least one process issues accesses */
	u128 issuing_ns;      /* sum over the processes of the time in which they issue accesses */
	u128 flight_ns;	      /* sum of the times in which accesses are in flight */
	u128 busy_ns;	      /* sum over the processes of the time with an access in flight */
};

/* Adds an access of @process. Calls must be in the order of @start_ns. */
void issuers_add(struct issuers *s, u32 process, u64 start_ns, u64 end_ns);
/* Call this after the last issuers_add(), before the following functions. */
void issuers_finish(struct issuers *s);
void issuers_release(struct issuers *s);

/* Returns the mean number of processes that issue accesses, over the time in which any does. NaN if
 * there is no such time. */
double issuers_processes(const struct issuers *s);
/* Returns the mean number of accesses that a process has in flight, over the time in which it has
 * any. NaN if there is no such time. */
double issuers_depth(const struct issuers *s);

#endif
