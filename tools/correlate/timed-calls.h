/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the I/O time of a job from the system calls in a trace, by equation 1 of Madireddy and
 * others 2017. A file is shared if the job has at least two processes with I/O, and all of these
 * read or write the file. Any other file is unique. The I/O time is the time of the slowest process
 * in unique files, plus the time from the first open to the last I/O of the shared files.
 *
 * Darshan adds up the times of a process's calls. Here the union of the calls is used, so that
 * threads that wait at the same time count once. */
#ifndef IOSPAN_TIMED_CALLS_H
#define IOSPAN_TIMED_CALLS_H

#include "user/metric/span.h"
#include "user/base/keys.h"
#include "tools/correlate/timed-jobs.h"
#include "tools/input/traced.h"

/* Times of one process in system calls to unique files (files that not all processes use). */
struct caller {
	bool moves;	       /* true if the process reads or writes any file */
	struct cover metadata; /* time in opens, creates and closes of unique files */
	struct cover transfer; /* time in reads, writes and syncs of unique files */
};

struct timed_calls {
	struct caller *callers; /* indexed by the number of the process in the trace */
	/* .callers_n: number of elements of .callers. .moving: number of processes that read or
	 * write. */
	u32 callers_n, moving;
	/* .users[i]: number of processes that read or write file i of the trace. .files_n: number
	 * of elements of .users. */
	u32 *users, files_n;
	struct keys pairs; /* combinations of a process and a file that it reads or writes */
	/* .shared_from: start of the first call to a shared file, in ns; this is usually an open.
	 * .shared_to: end of the last read or write of a shared file, in ns; 0: there is none. */
	u64 shared_from, shared_to;
};
#define TIMED_CALLS_NONE ((struct timed_calls){ .shared_from = ~0ULL })

/* First pass over the accesses of layer vfs: counts the processes that read or write each file. */
void timed_calls_scan(struct timed_calls *c, const struct traced_access *a);
/* Second pass over the same accesses: adds the time of each call. The first pass has found which
 * files are shared. */
void timed_calls_add(struct timed_calls *c, const struct traced_access *a);
void timed_calls_settle(struct timed_calls *c, u64 before_ns);
/* Stores the results in the I/O times FORM_METADATA, FORM_TRANSFER and FORM_SHARED of job @j. */
void timed_calls_fill(const struct timed_calls *c, struct timed_job *j);
void timed_calls_release(struct timed_calls *c);

#endif
