/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets the sizes of the BPF maps, and maps them into this process, for tracer.c. */
#ifndef IOSPAN_TRACER_MAPS_H
#define IOSPAN_TRACER_MAPS_H

#include "user/kernel/maps.h"
#include "user/kernel/tracer-options.h"

struct iospan; /* the libbpf skeleton of the BPF programs */

/* Returns the highest number of a possible CPU. */
unsigned tracer_highest_cpu(void);

/* Sets the sizes, before the programs are loaded. Returns 0, or -errno after an error message. */
int tracer_maps_size(struct iospan *skel, const struct tracer_options *o, struct maps *m);

/* Maps the maps, after the programs are loaded. Returns 0, or -errno after an error message. */
int tracer_maps_map(struct iospan *skel, const struct tracer_options *o, struct maps *m);

/* Unmaps the maps and frees @m's memory, also after a failure above. */
void tracer_maps_unmap(struct iospan *skel, struct maps *m);

#endif
