/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repairs: ends accesses that lost their completion, because no BPF program saw it. Without a
 * repair, such an access would keep its spans busy forever. */
#ifndef IOSPAN_KERNEL_REPAIR_H
#define IOSPAN_KERNEL_REPAIR_H

#include "user/kernel/maps.h"

/* The caller must call maps_repair() at this interval, in ns. */
#define REPAIR_POLL_NS 50000000ULL

/* Ends lost accesses. A device access is lost if the kernel has no request in flight on its disk.
 * An io_uring or libaio request is lost if its program exited or its context was destroyed. */
void maps_repair(struct maps *m, u64 now);

/* Runs the BPF program scan_one_queue(), which ends the accesses of requests that the kernel has
 * completed. If the caller does this before each reading of T, T is at most 1 ms too long per lost
 * completion. */
void maps_detect(struct maps *m);

/* The last repair of a measurement. If accesses are in flight, it waits some ms to verify that they
 * were lost, ends lost ones and returns true. */
bool maps_repair_last(struct maps *m);

#endif
