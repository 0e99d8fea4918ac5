/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ranges of the parameters in a self-scaling evaluation. Chen and Patterson 1993 do not give
 * any; these are our own. */
#ifndef IOSPAN_BENCH_SCALE_AXES_H
#define IOSPAN_BENCH_SCALE_AXES_H

#include "bench/scale/evaluate.h"
#include "bench/scale/rig.h"

/* Sets e->axes and e->buffer_bytes of a new evaluation from the target and cache of the open @r. */
void scale_axes(struct evaluation *e, const struct rig *r);

#endif
