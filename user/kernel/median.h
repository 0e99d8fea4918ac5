/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the median latency per disk and operation. If the completion of an access is lost, this
 * median is the estimate of its latency (bpf/lost.h). */
#ifndef IOSPAN_MEDIAN_H
#define IOSPAN_MEDIAN_H

#include "user/kernel/maps.h"

struct medians;

/* Updates the medians in m->disks, for BPF programs and repair.c. To be short, a call updates only
 * some medians; the next call goes on with the others. Ends the program if memory is short. */
void maps_update_medians(struct maps *m);

void medians_free(struct medians *s);

#endif
