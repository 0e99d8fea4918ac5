/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts files that one process and several processes use, and when processes use one file at the
 * same time (criteria 2.6 and 3.4). */
#ifndef IOSPAN_SHARING_H
#define IOSPAN_SHARING_H

#include "user/metric/span.h"
#include "tools/characterize/counters.h"

struct shared_file;

/* A zeroed struct is empty. */
struct sharing {
	struct shared_file *files; /* [number of the file] */
	u32 n;
	struct cover together; /* time with two or more processes in one file */
	u64 met;	       /* requests that start while another process is in the file */
};

/* Totals over the known files. */
struct shared {
	u64 files[DIRECTIONS];	/* read; written; either */
	u64 local, shared, met; /* files of one process; of several; of several at once */
	u128 bytes, shared_bytes;
	u64 requests, shared_requests;
};

/* Counts a request of @process. @file is not 0. */
void sharing_count(struct sharing *s, u32 file, u32 process, enum direction d, u64 bytes);
/* Adds an interval in which @process has a request to @file in flight. The calls are in the order
 * of starts. @part: one interval of a requeued request, which is not counted as a request. */
void sharing_span(struct sharing *s, u32 file, u32 process, u64 start_ns, u64 end_ns, bool part);
void sharing_release(struct sharing *s);

struct shared sharing_sum(const struct sharing *s);

#endif
