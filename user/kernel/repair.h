/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repairs: ends accesses that lost their completion, because no kernel program saw it. Otherwise
 * such an access would keep its spans busy forever. */
#ifndef IOSPAN_KERNEL_REPAIR_H
#define IOSPAN_KERNEL_REPAIR_H

#include "user/kernel/maps.h"

/* maps_repair() must be called this often, in ns. */
#define REPAIR_POLL_NS 50000000ULL

/* Ends device accesses if nothing is in flight on their disk, and io_uring and libaio requests if
 * their program exited or their context was destroyed. */
void maps_repair(struct maps *m, u64 now);

/* Runs the kernel program that ends requests which the kernel has completed. If it is called before
 * each reading of T, T is at most 1 ms too long per lost completion. */
void maps_detect(struct maps *m);

/* As maps_repair(), at the end of the measurement. True: something was in flight, and some ms have
 * passed to verify that it was lost. */
bool maps_repair_last(struct maps *m);

#endif
