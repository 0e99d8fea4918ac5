/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A repair ends an access with a lost completion, that is, a completion that no BPF program saw.
 * Without a repair, the access would count as in flight forever. */
#ifndef IOSPAN_KERNEL_REPAIR_H
#define IOSPAN_KERNEL_REPAIR_H

#include "user/kernel/maps.h"

/* interval in ns between two calls of maps_repair() */
#define REPAIR_POLL_NS 50000000ULL

/* Ends accesses with a lost completion. It knows that a completion is lost if the access cannot be
 * in flight:
 * - a device access, if the kernel counts no request in flight on its disk;
 * - an io_uring or libaio request, if its process has exited;
 * - a libaio request, if its context was destroyed. */
void maps_repair(struct maps *m, u64 now);

/* Searches each queue for requests with a lost completion, and ends their accesses. Runs the BPF
 * program scan_one_queue() for this. Call it before each reading. Then a lost completion makes the
 * measured busy time too long by at most 1 ms (2 * SCAN_NS). */
void maps_detect(struct maps *m);

/* Call this at the end of a measurement. If no access is in flight, returns false at once.
 * Otherwise waits some ms to find the accesses with a lost completion, ends them, and returns
 * true. */
bool maps_repair_last(struct maps *m);

/* Ends all accesses of the vfs layer that are in flight at @now. Does not count them. Call it after
 * detaching the BPF programs of this layer: the programs can then not see the end of these
 * accesses. */
void maps_end_vfs(struct maps *m, u64 now);

#endif
