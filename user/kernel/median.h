/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the current median latency of each disk and operation. It is the estimated latency of an
 * access that lost its completion: see bpf/lost.h. */
#ifndef IOSPAN_MEDIAN_H
#define IOSPAN_MEDIAN_H

#include "user/kernel/maps.h"

struct medians;

/* Updates the medians in m->disks, where the BPF programs and repair.c read them. A call does a
 * limited amount of work, and the next call continues where it stopped. If there is no memory, it
 * ends the program. */
void maps_update_medians(struct maps *m);

void medians_free(struct medians *s); /* @s may be NULL */

#endif
