/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads recorded accesses and writes them to a trace. BPF programs record accesses in ring buffers.
 * The preloaded library records accesses in lanes (struct record_lane), which are also ring
 * buffers. */
#ifndef IOSPAN_RECORDER_H
#define IOSPAN_RECORDER_H

#include "user/kernel/maps.h"
#include "user/trace/filter.h"

/* Call recorder_poll() every RECORDER_POLL_NS. Accesses are written to the trace in chunks: when a
 * chunk is full, or after RECORDER_FLUSH_NS. If iospan crashes, the accesses since the last chunk
 * are lost. */
#define RECORDER_POLL_NS 10000000ULL
#define RECORDER_FLUSH_NS 1000000000ULL

struct recorder;

/* Makes a recorder that writes accesses to @w, if they pass @filter. Both must stay valid as long
 * as the recorder. Returns 0 or -errno; prints the error. */
int recorder_new(struct recorder **r, struct maps *m, struct trace_writer *w,
		 const struct trace_filter *filter);
void recorder_free(struct recorder *r);

/* Reads all accesses from the ring buffers and the lanes. If an error occurs, prints it, and drops
 * all later accesses. */
void recorder_poll(struct recorder *r);

/* Reads the remaining accesses. Accesses in flight are also recorded, as intervals until @now,
 * because the measured busy time includes these intervals. But system calls in flight are not
 * recorded, because only BPF programs know their start. */
void recorder_end(struct recorder *r, u64 now);

/* Records an access that repair.c ended, because its completion was lost. @r may be NULL. */
void recorder_keep(struct recorder *r, const struct recorded *a);

/* Records request @p, which is still in flight, as an interval that ends at @now. @r may be
 * NULL. */
void recorder_keep_pending(struct recorder *r, const struct pending *p, u64 now);

#endif
