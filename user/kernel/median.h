/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The current median latency of each disk and operation: the estimate for an access that lost its
 * completion, see bpf/lost.h. */
#ifndef IOSPAN_MEDIAN_H
#define IOSPAN_MEDIAN_H

#include "user/kernel/maps.h"

struct medians;

/* Writes the medians to m->disks, where the kernel programs and repair.c read them. A call does a
 * limited amount of work; the next call continues there. Out of memory ends the program. */
void maps_update_medians(struct maps *m);

void medians_free(struct medians *s); /* NULL is fine */

#endif
