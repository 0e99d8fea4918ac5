/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the ranges of the parameters. Chen and Patterson 1993 give none; these are our own. */
#ifndef IOSPAN_BENCH_SCALE_AXES_H
#define IOSPAN_BENCH_SCALE_AXES_H

#include "bench/scale/evaluate.h"
#include "bench/scale/rig.h"

/* Sets e->axes and e->buffer_bytes from the target and page cache of @r, which must be open. */
void scale_axes(struct evaluation *e, const struct rig *r);

#endif
