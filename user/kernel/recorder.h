/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the accesses that the BPF programs and the preloaded library have recorded to a trace. It
 * reads them from BPF ring buffers and from lanes, which are rings in memory that the library
 * writes (struct record_lane). */
#ifndef IOSPAN_RECORDER_H
#define IOSPAN_RECORDER_H

#include "user/kernel/maps.h"
#include "user/trace/filter.h"

/* The caller must call recorder_poll() at intervals of RECORDER_POLL_NS. A chunk of the trace is
 * written when it is full, or after RECORDER_FLUSH_NS. A crash may lose the accesses of that
 * time. */
#define RECORDER_POLL_NS 10000000ULL
#define RECORDER_FLUSH_NS 1000000000ULL

struct recorder;

/* Makes a recorder that writes the accesses that pass @filter to @w. Both belong to the caller and
 * must outlive the recorder. Returns 0 or -errno, and prints the error. */
int recorder_new(struct recorder **r, struct maps *m, struct trace_writer *w,
		 const struct trace_filter *filter);
void recorder_free(struct recorder *r); /* @r may be NULL */

/* Reads all accesses from the BPF ring buffers and from the lanes (struct record_lane). After an
 * error, which it prints, it drops the accesses. */
void recorder_poll(struct recorder *r);

/* Call this at the end. Reads the remaining accesses. For each access in flight, it records the
 * interval until @now, because T includes that interval. System calls in flight are not recorded,
 * because the command cannot read their state. */
void recorder_end(struct recorder *r, u64 now);

/* Records an access that repair.c has ended. @r may be NULL. */
void recorder_keep(struct recorder *r, const struct recorded *a);

/* Records the request @p, which has not completed, as an interval from its start until @now. @r may
 * be NULL. */
void recorder_keep_pending(struct recorder *r, const struct pending *p, u64 now);

#endif
