/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_KERNEL_REPAIR_H
#define IOSPAN_KERNEL_REPAIR_H

#include "user/kernel/maps.h"

/* What has been lost and can be mended: ends accesses whose end nobody saw. */
void maps_repair(struct maps *m, u64 now);

/* Ends the requests to disks that lost their completion, by the state of the requests. Called before
 * each reading of T, so that T has at most 1 ms too much for each of them. */
void maps_detect(struct maps *m);

/* The same at the end, when there is no next time. True: something was in flight,
 * and some ms went by to be sure about it. */
bool maps_repair_last(struct maps *m);

/* False also where that cannot be known. */
bool maps_process_is_gone(const struct maps *m, u32 tgid);

#endif
