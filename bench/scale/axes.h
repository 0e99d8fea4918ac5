/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the ranges of the workload parameters for bench scale. Chen and Patterson 1993 give no
 * ranges; these are our own. The rig (rig.h) is the opened target, on which workloads are
 * measured. */
#ifndef IOSPAN_BENCH_SCALE_AXES_H
#define IOSPAN_BENCH_SCALE_AXES_H

#include "bench/scale/evaluate.h"
#include "bench/scale/rig.h"

/* Sets the ranges of the parameters (e->axes) and the limit of all buffers (e->buffer_bytes).
 * Computes both from the target and the page cache of @r, which must be open. */
void scale_axes(struct evaluation *e, const struct rig *r);

#endif
