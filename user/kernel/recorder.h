/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the kernel programs' rings, and those of the preloaded library, to a trace. */
#ifndef IOSPAN_RECORDER_H
#define IOSPAN_RECORDER_H

#include "user/kernel/maps.h"
#include "user/trace/filter.h"

/* What comes is taken out this often; a chunk is written when it is full, or after this
 * time: what a crash may cost. */
#define RECORDER_POLL_NS 10000000ULL
#define RECORDER_FLUSH_NS 1000000000ULL

struct recorder;

/* Records what @filter wants to @w; both stay the caller's and must outlive it. -errno,
 * printed. */
int recorder_new(struct recorder **r, struct maps *m, struct trace_writer *w,
		 const struct trace_filter *filter);
void recorder_free(struct recorder *r); /* NULL is fine */

/* Takes what has come. After an error, printed, it takes and drops. */
void recorder_poll(struct recorder *r);

/* The last time: takes all that is there. What is in flight at @now, the end, was so until
 * then: its spans have that time. (Of system calls that is not known.) */
void recorder_end(struct recorder *r, u64 now);

/* What is not seen by a program, but found by repair. */
void recorder_keep(struct recorder *r, const struct recorded *a);
/* One that is in flight still, for all we know: so it was until @now. */
void recorder_keep_pending(struct recorder *r, const struct pending *p, u64 now);

#endif
