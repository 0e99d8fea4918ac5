/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O time of equation 1 (Madireddy and others 2017), of the system calls of a trace: what the
 * slowest process waited for files of its own, and from the first open to the last I/O of those
 * that all processes used. Of a process it is a union: threads that wait at once wait once. */
#ifndef IOSPAN_TIMED_CALLS_H
#define IOSPAN_TIMED_CALLS_H

#include "user/metric/span.h"
#include "user/base/keys.h"
#include "tools/correlate/timed-jobs.h"
#include "tools/input/traced.h"

/* What a process waited for: opens, creates and closes; reads, writes and syncs. */
struct caller {
	bool moves; /* it read or wrote */
	struct cover metadata, transfer;
};

struct timed_calls {
	struct caller *callers;	    /* by number of the process */
	u32 callers_n, moving;	    /* moving: those that read or wrote */
	u32 *users, files_n;	    /* by number of the file: how many of these did so there */
	struct keys pairs;	    /* of process and file */
	u64 shared_from, shared_to; /* of files that all of these used; to: 0: there was none */
};
#define TIMED_CALLS_NONE ((struct timed_calls){ .shared_from = ~0ULL })

/* First, for all accesses of the vfs layer: who used what; */
void timed_calls_meet(struct timed_calls *c, const struct traced_access *a);
/* then, for all of them once more: how long. */
void timed_calls_take(struct timed_calls *c, const struct traced_access *a);
void timed_calls_settle(struct timed_calls *c, u64 before_ns);
void timed_calls_put(const struct timed_calls *c, struct timed_job *j);
void timed_calls_release(struct timed_calls *c);

#endif
