/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A repair ends an access with a lost completion, that is, a completion that no BPF program saw.
 * Without a repair, the access would count as in flight forever. */
#ifndef IOSPAN_KERNEL_REPAIR_H
#define IOSPAN_KERNEL_REPAIR_H

#include "user/kernel/maps.h"

/* interval, in ns, at which the caller must call maps_repair() */
#define REPAIR_POLL_NS 50000000ULL

/* Ends device accesses if the kernel counts no requests in flight on their disk, because their
 * completion was then lost. Also ends io_uring and libaio requests if their process has exited, and
 * libaio requests if their context was destroyed. */
void maps_repair(struct maps *m, u64 now);

/* Ends the accesses of requests that the kernel has completed, but for which no BPF program saw the
 * completion. The BPF program scan_one_queue() searches each queue for them. If maps_detect() runs
 * before each reading, a lost completion makes the measured busy time too long by at most 1 ms (2 *
 * SCAN_NS). */
void maps_detect(struct maps *m);

/* The last repair of a measurement. If accesses are in flight, waits some ms to find out which of
 * them have lost their completion, ends these, and returns true. Otherwise returns false. */
bool maps_repair_last(struct maps *m);

/* Ends all accesses of the vfs layer that are in flight at @now, and does not count them. Call it
 * after the BPF programs of this layer were detached: no program sees the end of these accesses. */
void maps_end_vfs(struct maps *m, u64 now);

#endif
