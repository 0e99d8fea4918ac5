/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O time of Madireddy and others 2017, equation 1, from the system calls of a trace: the time
 * of the slowest process in unique files, plus the time from the first open to the last I/O of the
 * shared files. A file is shared if all of at least two processes that do I/O read or write it.
 * Unlike the sums of Darshan, the calls of a process form a union, so that threads that wait at the
 * same time count once. */
#ifndef IOSPAN_TIMED_CALLS_H
#define IOSPAN_TIMED_CALLS_H

#include "user/metric/span.h"
#include "user/base/keys.h"
#include "tools/correlate/timed-jobs.h"
#include "tools/input/traced.h"

/* A process. */
struct caller {
	bool moves;	       /* it reads or writes */
	struct cover metadata; /* opens, creates and closes of unique files */
	struct cover transfer; /* reads, writes and syncs of unique files */
};

struct timed_calls {
	struct caller *callers;	    /* [number of the process] */
	u32 callers_n, moving;	    /* moving: processes that read or write */
	u32 *users, files_n;	    /* processes that read or write a file, by its number */
	struct keys pairs;	    /* pairs of a process and a file */
	u64 shared_from, shared_to; /* first open, last I/O of shared files; shared_to 0: none */
};
#define TIMED_CALLS_NONE ((struct timed_calls){ .shared_from = ~0ULL })

/* First pass, over all accesses of the vfs layer: finds the users of each file. */
void timed_calls_scan(struct timed_calls *c, const struct traced_access *a);
/* Second pass, over the same accesses: adds the times. */
void timed_calls_add(struct timed_calls *c, const struct traced_access *a);
void timed_calls_settle(struct timed_calls *c, u64 before_ns);
/* Sets the metadata, transfer and shared times of @j. */
void timed_calls_fill(const struct timed_calls *c, struct timed_job *j);
void timed_calls_release(struct timed_calls *c);

#endif
