/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cgroups that share the time of each disk (neighbourhood.h), for iospan report --neighbours. A batch
 * is accesses that are read from a trace at once. */
#ifndef IOSPAN_REPORT_NEIGHBOURS_H
#define IOSPAN_REPORT_NEIGHBOURS_H

#include "tools/report/by.h"
#include "tools/report/neighbourhood.h"

struct neighbours {
	struct neighbourhood **disks; /* indexed by the number of the disk; NULL: no access yet */
	u32 room;
};

/* Each stream of a trace has slots for pointers (input.h). This slot has the struct sharer to which
 * the accesses of the stream are added. */
#define NEIGHBOURS_SLOT BY_SLOT(TRACE_KINDS)

void neighbours_release(struct neighbours *n);

/* Returns the cgroup and disk of stream @s. Returns NULL if its accesses are not reads or writes of
 * the device layer. */
struct sharer *neighbours_find(struct neighbours *n, const struct trace_stream *s, bool stacked);

/* Adds a batch of accesses. @sharers has the result of neighbours_find() for each stream. */
void neighbours_batch(const struct trace_batch *b, void *const *sharers);

/* No later access starts before @before_ns. Call it with ~0 after the last batch. */
void neighbours_settle(struct neighbours *n, u64 before_ns);

#endif
