/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The burstiness and the parallel I/O intensity of the machine over a window of time, as metrics
 * for Prometheus. user/metric/burst.h defines them for servers. Here, each disk is a server, except
 * stacked disks, and disks that have ended and were idle in the whole window. */
#ifndef IOSPAN_EXPORTER_BURSTS_H
#define IOSPAN_EXPORTER_BURSTS_H

#include "user/metric/measurement.h"

#define BURSTS_MOST 100000 /* maximum number of intervals in a window */
#define BURST_INTERVAL_LEAST_NS 100000000ULL

struct bursts_limits {
	u64 interval_ns, window_ns; /* .window_ns is 0 if there are no metrics of burstiness */
	/* a disk is busy if it moves more bytes than this in an interval */
	u64 threshold;
};

/* Returns true if the window has from 1 to BURSTS_MOST intervals. */
bool bursts_fit(const struct bursts_limits *limits);

struct bursts;
struct exported_disks;
struct openmetrics;

/* Returns NULL if the window is 0. */
struct bursts *bursts_new(const struct bursts_limits *limits);
void bursts_free(struct bursts *b);

/* Returns true if the current interval is over at @elapsed_ns, counted from the start of the
 * measurement. @b may be NULL. */
bool bursts_due(const struct bursts *b, u64 elapsed_ns);

/* If the current interval is over, adds it to the window. @m has the counters since the start of
 * the measurement. @e has the disks of @m that have a name, in the same order. @b may be NULL. */
void bursts_update(struct bursts *b, const struct measurement *m, const struct exported_disks *e);

void put_bursts(struct openmetrics *o, const struct bursts *b);

#endif
