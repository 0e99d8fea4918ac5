/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cgroups that share the time of each disk (neighbourhood.h), for iospan report --neighbours. A
 * batch is accesses that are read from a trace at once. */
#ifndef IOSPAN_REPORT_NEIGHBOURS_H
#define IOSPAN_REPORT_NEIGHBOURS_H

#include "tools/report/by.h"
#include "tools/report/neighbourhood.h"

struct neighbours {
	struct neighbourhood **disks; /* indexed by the number of the disk; NULL: no access yet */
	u32 room;
};

/* The report stores pointers, called slots, for each stream: accesses with the same layer,
 * operation, disk, cgroup, process and file. The slot with this number points to the struct sharer
 * that counts the accesses of the stream. */
#define NEIGHBOURS_SLOT BY_SLOT(TRACE_KINDS)

void neighbours_release(struct neighbours *n);

/* Returns the struct sharer (a cgroup on a disk) for the accesses of stream @s; it belongs to @n.
 * Returns NULL if these accesses are not reads or writes of the device layer. */
struct sharer *neighbours_find(struct neighbours *n, const struct trace_stream *s, bool stacked);

/* Adds a batch of accesses. @sharers[i] is the result of neighbours_find() for stream i. */
void neighbours_batch(const struct trace_batch *b, void *const *sharers);

/* Handles all starts and ends of accesses before @before_ns, on all disks. No later access may
 * start before that time. Call this with ~0 after the last batch. */
void neighbours_settle(struct neighbours *n, u64 before_ns);

#endif
