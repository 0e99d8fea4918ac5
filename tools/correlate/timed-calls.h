/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the I/O time of Madireddy and others 2017, equation 1, from the system calls of a
 * trace. It is the time of the slowest process in unique files, plus the time from the first
 * open to the last I/O of the shared files. A file is shared if at least two processes do I/O
 * and all of them read or write this file. Other files are unique. Darshan adds up the times of
 * the calls of a process. Here they form a union, so that threads that wait at the same time
 * count once. */
#ifndef IOSPAN_TIMED_CALLS_H
#define IOSPAN_TIMED_CALLS_H

#include "user/metric/span.h"
#include "user/base/keys.h"
#include "tools/correlate/timed-jobs.h"
#include "tools/input/traced.h"

/* The calls of one process. */
struct caller {
	bool moves;	       /* true if the process reads or writes */
	struct cover metadata; /* opens, creates and closes of unique files */
	struct cover transfer; /* reads, writes and syncs of unique files */
};

struct timed_calls {
	struct caller *callers; /* indexed by the number of the process */
	u32 callers_n, moving;	/* @moving: number of processes that read or write */
	/* number of processes that read or write a file, by its number */
	u32 *users, files_n;
	struct keys pairs;	    /* pairs of a process and a file that it reads or writes */
	u64 shared_from, shared_to; /* first open and last I/O of shared files; shared_to 0: none */
};
#define TIMED_CALLS_NONE ((struct timed_calls){ .shared_from = ~0ULL })

/* Finds the users of each file. This is the first pass, over all accesses of the vfs layer. */
void timed_calls_scan(struct timed_calls *c, const struct traced_access *a);
/* Adds the time of each call. This is the second pass, over the same accesses. */
void timed_calls_add(struct timed_calls *c, const struct traced_access *a);
void timed_calls_settle(struct timed_calls *c, u64 before_ns);
/* Sets the I/O times FORM_METADATA, FORM_TRANSFER and FORM_SHARED of job @j. */
void timed_calls_fill(const struct timed_calls *c, struct timed_job *j);
void timed_calls_release(struct timed_calls *c);

#endif
