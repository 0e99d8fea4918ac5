/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the median latency per disk and operation. If the completion of an access is lost, its
 * latency is estimated by this median (bpf/lost.h). */
#ifndef IOSPAN_MEDIAN_H
#define IOSPAN_MEDIAN_H

#include "user/kernel/maps.h"

struct medians;

/* Updates the medians in m->disks, which BPF programs and repair.c use. One call updates only some
 * medians, so that it is short; the next call continues with the others. Ends the program if there
 * is no memory. */
void maps_update_medians(struct maps *m);

void medians_free(struct medians *s);

#endif
