/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes recorded accesses from BPF ring buffers and the preloaded library's lanes to a trace. */
#ifndef IOSPAN_RECORDER_H
#define IOSPAN_RECORDER_H

#include "user/kernel/maps.h"
#include "user/trace/filter.h"

/* Call recorder_poll() at intervals of RECORDER_POLL_NS. A chunk is written when full or after
 * RECORDER_FLUSH_NS: a crash may lose that time. */
#define RECORDER_POLL_NS 10000000ULL
#define RECORDER_FLUSH_NS 1000000000ULL

struct recorder;

/* Makes a recorder of accesses that pass @filter to @w; both must outlive it. 0 or -errno. */
int recorder_new(struct recorder **r, struct maps *m, struct trace_writer *w,
		 const struct trace_filter *filter);
void recorder_free(struct recorder *r);

/* Reads all accesses from ring buffers and lanes. After an error, which it prints, drops them. */
void recorder_poll(struct recorder *r);

/* Reads the remaining accesses, and records the intervals of those in flight until @now, because T
 * includes them; but not of system calls, because only BPF programs have their state. */
void recorder_end(struct recorder *r, u64 now);

/* Records an access that repair.c ended. @r may be NULL. */
void recorder_keep(struct recorder *r, const struct recorded *a);

/* Records request @p, in flight until @now, as an interval. @r may be NULL. */
void recorder_keep_pending(struct recorder *r, const struct pending *p, u64 now);

#endif
