/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of tracer.c: the maps, before the programs are loaded and after. */
#ifndef IOSPAN_TRACER_MAPS_H
#define IOSPAN_TRACER_MAPS_H

#include "user/kernel/maps.h"

struct iospan; /* the skeleton */

/* CPUs are numbered up to this one. */
unsigned tracer_highest_cpu(void);

/* Before loading. What @m gets is freed by tracer_maps_unmap(). */
int tracer_maps_size(struct iospan *skel, const struct tracer_options *o, struct maps *m);

/* After loading. */
int tracer_maps_map(struct iospan *skel, const struct tracer_options *o, struct maps *m);

/* Whatever there is of it, also after a failure of the others. */
void tracer_maps_unmap(struct iospan *skel, struct maps *m);

#endif
