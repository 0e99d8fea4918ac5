/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the median latency per disk and operation. If the completion of an access is lost, this
 * median is the estimate of its latency (bpf/lost.h). */
#ifndef IOSPAN_MEDIAN_H
#define IOSPAN_MEDIAN_H

#include "user/kernel/maps.h"

struct medians;

/* Updates the medians in m->disks, which BPF programs and repair.c use. A call updates only some
 * medians, so that it is short. The next call continues with further medians. Ends the program if
 * there is no memory. */
void maps_update_medians(struct maps *m);

void medians_free(struct medians *s);

#endif
