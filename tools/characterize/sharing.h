/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the files that one process uses and those that several use. Also finds when several
 * processes use a file at the same time (criteria 2.6 and 3.4). */
#ifndef IOSPAN_SHARING_H
#define IOSPAN_SHARING_H

#include "user/metric/span.h"
#include "tools/characterize/counters.h"

struct shared_file;

/* The use of files by processes. A zeroed struct is ready for use. */
struct sharing {
	struct shared_file *files; /* indexed by the number of the file */
	u32 n;
	/* time in which two or more processes have requests to one file in flight */
	struct cover together;
	/* number of requests that start while another process has one to the same file in flight */
	u64 met;
};

/* Totals over the known files. */
struct shared {
	u64 files[DIRECTIONS]; /* number of files that were read, written, and either */
	/* number of files that one process used, several used, and several used at the same time */
	u64 local, shared, met;
	u128 bytes, shared_bytes;
	u64 requests, shared_requests;
};

/* Counts a request of @process to @file, which is not 0 (unknown). */
void sharing_count(struct sharing *s, u32 file, u32 process, enum direction d, u64 bytes);
/* Adds an interval in which @process has a request to @file in flight. Call this in the order of
 * the starts. If @part, the interval belongs to a request that was requeued, and is not counted
 * as a request. */
void sharing_span(struct sharing *s, u32 file, u32 process, u64 start_ns, u64 end_ns, bool part);
void sharing_release(struct sharing *s);

struct shared sharing_sum(const struct sharing *s);

#endif
