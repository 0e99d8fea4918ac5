/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds files that several processes share, and files that they access at the same time (criteria
 * 2.6 and 3.4 of El Sayed and others 2016). */
#ifndef IOSPAN_SHARING_H
#define IOSPAN_SHARING_H

#include "user/metric/span.h"
#include "tools/characterize/counters.h"

struct shared_file;

/* The use of files by processes. A zeroed struct is ready for use. */
struct sharing {
	struct shared_file *files; /* files[i]: use of the file with number i in the trace */
	u32 n;
	/* times in which at least two processes have requests to the same file in flight */
	struct cover together;
	/* number of requests that start while another process has a request to the same file in
	 * flight */
	u64 met;
};

/* Totals of all files with a known name. */
struct shared {
	u64 files[DIRECTIONS];
	/* .local: number of files that one process used. .shared: number of files that several
	 * processes used. .met: number of files that several processes used at the same time. */
	u64 local, shared, met;
	u128 bytes, shared_bytes;
	u64 requests, shared_requests;
};

/* Adds a request of @process to @file. Both are numbers in the trace. @file must not be 0, which
 * means unknown. */
void sharing_count(struct sharing *s, u32 file, u32 process, enum direction d, u64 bytes);
/* Adds the time from @start_ns to @end_ns, in which @process has a request to @file in flight.
 * Calls must be in the order of @start_ns. If @part is true, the request is in flight again later,
 * for instance after a requeue. Then s->met is not increased, because each request is counted
 * once. */
void sharing_span(struct sharing *s, u32 file, u32 process, u64 start_ns, u64 end_ns, bool part);
void sharing_release(struct sharing *s);

struct shared sharing_sum(const struct sharing *s);

#endif
