/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ranges of the workload parameters in a self-scaling evaluation. Chen and Patterson 1993 give
 * no ranges; these are our own. */
#ifndef IOSPAN_BENCH_SCALE_AXES_H
#define IOSPAN_BENCH_SCALE_AXES_H

#include "bench/scale/evaluate.h"
#include "bench/scale/rig.h"

/* Sets e->axes and e->buffer_bytes of a new evaluation, from the target and the cache of @r, which
 * is open. */
void scale_axes(struct evaluation *e, const struct rig *r);

#endif
