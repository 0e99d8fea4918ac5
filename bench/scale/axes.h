/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ranges of a self-scaling evaluation. */
#ifndef IOSPAN_BENCH_SCALE_AXES_H
#define IOSPAN_BENCH_SCALE_AXES_H

#include "bench/scale/evaluate.h"
#include "bench/scale/rig.h"

/* Sets the axes of a new evaluation on @r, which is open, and the memory of its requests. */
void scale_axes(struct evaluation *e, const struct rig *r);

#endif
