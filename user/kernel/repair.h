/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A repair ends an access with a lost completion, that is, a completion that no BPF program saw.
 * Without a repair, the access would count as in flight forever. */
#ifndef IOSPAN_KERNEL_REPAIR_H
#define IOSPAN_KERNEL_REPAIR_H

#include "user/kernel/maps.h"

/* interval, in ns, at which the caller must call maps_repair() */
#define REPAIR_POLL_NS 50000000ULL

/* Ends accesses with a lost completion. A device access is ended if the kernel counts no request in
 * flight on its disk. An io_uring or libaio request is ended if its process has exited. A libaio
 * request is also ended if its context was destroyed. */
void maps_repair(struct maps *m, u64 now);

/* If the kernel has completed a request, but no BPF program saw the completion, ends the access of
 * the request. The BPF program scan_one_queue() searches each queue for such requests. If
 * maps_detect() runs before each reading, a lost completion makes the measured busy time too long
 * by at most 1 ms (2 * SCAN_NS). */
void maps_detect(struct maps *m);

/* Call this at the end of a measurement. If no access is in flight, returns false. Otherwise waits
 * some ms to find out which accesses have lost their completion, ends these accesses, and returns
 * true. */
bool maps_repair_last(struct maps *m);

/* Ends all accesses of the vfs layer that are in flight at @now, and does not count them. Call it
 * after the BPF programs of this layer were detached: no program sees the end of these accesses. */
void maps_end_vfs(struct maps *m, u64 now);

#endif
