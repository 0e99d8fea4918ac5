/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repairs: ends accesses that lost their completion, which would keep their spans busy forever. */
#ifndef IOSPAN_KERNEL_REPAIR_H
#define IOSPAN_KERNEL_REPAIR_H

#include "user/kernel/maps.h"

/* interval, in ns, at which the caller must call maps_repair() */
#define REPAIR_POLL_NS 50000000ULL

/* Ends lost accesses: device accesses on a disk without requests in flight, and io_uring or libaio
 * requests of an exited program or destroyed context. */
void maps_repair(struct maps *m, u64 now);

/* Runs scan_one_queue(), which ends accesses that the kernel has completed. Before each reading of
 * T, this limits its error to 1 ms per lost completion. */
void maps_detect(struct maps *m);

/* The last repair: if accesses are in flight, waits some ms, ends lost ones and returns true. */
bool maps_repair_last(struct maps *m);

#endif
