/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moves accesses from the rings of the kernel programs, and the lanes of the preloaded library, to
 * a trace. */
#ifndef IOSPAN_RECORDER_H
#define IOSPAN_RECORDER_H

#include "user/kernel/maps.h"
#include "user/trace/filter.h"

/* The rings are to be emptied this often. A chunk is written when it is full, or after this time,
 * which a crash may lose. */
#define RECORDER_POLL_NS 10000000ULL
#define RECORDER_FLUSH_NS 1000000000ULL

struct recorder;

/* Records accesses that pass @filter to @w. Both belong to the caller and must outlive the
 * recorder. Returns 0 or -errno; prints the error. */
int recorder_new(struct recorder **r, struct maps *m, struct trace_writer *w,
		 const struct trace_filter *filter);
void recorder_free(struct recorder *r); /* NULL is fine */

/* Empties the rings and lanes. After an error, which it prints, it drops the accesses. */
void recorder_poll(struct recorder *r);

/* The last poll. Also records an interval until @now, the end, for each access that is in flight,
 * because the spans include it. System calls in flight are not recorded: the command cannot read
 * them. */
void recorder_end(struct recorder *r, u64 now);

/* Records an access that repair.c has ended. @r: NULL is fine. */
void recorder_keep(struct recorder *r, const struct recorded *a);

/* Records the interval of @p until @now. @r: NULL is fine. */
void recorder_keep_pending(struct recorder *r, const struct pending *p, u64 now);

#endif
