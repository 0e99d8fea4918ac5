/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the median latency per disk and operation, which is the estimate for lost accesses
 * (bpf/lost.h). */
#ifndef IOSPAN_MEDIAN_H
#define IOSPAN_MEDIAN_H

#include "user/kernel/maps.h"

struct medians;

/* Updates the medians in m->disks, for BPF programs and repair.c. Updates only some per call, and
 * continues where the last call stopped. Ends the program if there is no memory. */
void maps_update_medians(struct maps *m);

void medians_free(struct medians *s);

#endif
