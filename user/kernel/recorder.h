/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads recorded accesses and writes them to a trace. BPF programs record accesses in ring buffers.
 * The preloaded library records accesses in buffers called lanes (struct record_lane). */
#ifndef IOSPAN_RECORDER_H
#define IOSPAN_RECORDER_H

#include "user/kernel/maps.h"
#include "user/trace/filter.h"

/* The caller calls recorder_poll() at intervals of RECORDER_POLL_NS. Accesses are written to the
 * trace in chunks: when a chunk is full, or after RECORDER_FLUSH_NS. If iospan crashes, the
 * accesses since the last chunk may be lost. */
#define RECORDER_POLL_NS 10000000ULL
#define RECORDER_FLUSH_NS 1000000000ULL

struct recorder;

/* Makes a recorder that writes the accesses that pass @filter to @w. Both must stay valid as long
 * as the recorder. Returns 0 or -errno; prints the error. */
int recorder_new(struct recorder **r, struct maps *m, struct trace_writer *w,
		 const struct trace_filter *filter);
void recorder_free(struct recorder *r);

/* Reads all accesses from the ring buffers and the lanes. After the first error, which is printed,
 * all further accesses are dropped. */
void recorder_poll(struct recorder *r);

/* Reads the remaining accesses. For each access in flight, also records the interval until @now,
 * because the measured busy time includes this interval. System calls in flight are not recorded,
 * because only BPF programs know their start. */
void recorder_end(struct recorder *r, u64 now);

/* Records an access with a lost completion, which repair.c ended. @r may be NULL. */
void recorder_keep(struct recorder *r, const struct recorded *a);

/* Records request @p, which is still in flight, as an interval from its start until @now. @r may be
 * NULL. */
void recorder_keep_pending(struct recorder *r, const struct pending *p, u64 now);

#endif
