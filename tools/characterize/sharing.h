/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files belong to one process and which to several, and when several were at one. */
#ifndef IOSPAN_SHARING_H
#define IOSPAN_SHARING_H

#include "user/metric/span.h"
#include "tools/characterize/counters.h"

struct file_use;

/* Zeroes are an empty one. */
struct sharing {
	struct file_use *files; /* by number */
	u32 n;
	struct cover together; /* when two processes or more were at the same file */
	u64 met;	       /* requests that began while another process was there */
};

struct shared {
	u64 files[DIRECTIONS];	  /* that were read, written, either */
	u64 local, shared, met;	  /* of one process; of several; at the same time */
	u128 bytes, shared_bytes; /* to files that are known */
	u64 requests, shared_requests;
};

/* A request of @process that moved bytes; @file is not 0. */
void sharing_count(struct sharing *s, u32 file, u32 process, enum direction d, u64 bytes);
/* An interval in which @process was at @file, in the order of their begins; that of a request, or
 * of a part, which is none. */
void sharing_span(struct sharing *s, u32 file, u32 process, u64 start_ns, u64 end_ns, bool part);
void sharing_release(struct sharing *s);

struct shared sharing_sum(const struct sharing *s);

#endif
