/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes the maps before the programs are loaded and maps them afterwards, for tracer.c. */
#ifndef IOSPAN_TRACER_MAPS_H
#define IOSPAN_TRACER_MAPS_H

#include "user/kernel/maps.h"
#include "user/kernel/tracer-options.h"

struct iospan; /* the skeleton */

/* The highest number of a CPU. */
unsigned tracer_highest_cpu(void);

/* To be called before loading. Returns 0 or -errno; prints the error. */
int tracer_maps_size(struct iospan *skel, const struct tracer_options *o, struct maps *m);

/* To be called after loading. Returns 0 or -errno; prints the error. */
int tracer_maps_map(struct iospan *skel, const struct tracer_options *o, struct maps *m);

/* Frees all of @m, also after a failure of the functions above. */
void tracer_maps_unmap(struct iospan *skel, struct maps *m);

#endif
