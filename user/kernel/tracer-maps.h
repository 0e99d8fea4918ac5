/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets the sizes of the BPF maps, and maps them into this process, for tracer.c. */
#ifndef IOSPAN_TRACER_MAPS_H
#define IOSPAN_TRACER_MAPS_H

#include "user/kernel/maps.h"
#include "user/kernel/tracer-options.h"

struct iospan; /* the libbpf skeleton of the BPF programs */

/* Returns the highest number that a CPU of this machine can have. */
unsigned tracer_highest_cpu(void);

/* Sets the sizes of the BPF maps. Call it before the programs are loaded. Returns 0 or -errno;
 * prints the error. */
int tracer_maps_size(struct iospan *skel, const struct tracer_options *o, struct maps *m);

/* Maps the BPF maps into this process. Call it after the programs are loaded. Returns 0 or -errno;
 * prints the error. */
int tracer_maps_map(struct iospan *skel, const struct tracer_options *o, struct maps *m);

/* Unmaps the BPF maps and frees the memory of @m. Call it even if tracer_maps_size() or
 * tracer_maps_map() failed. */
void tracer_maps_unmap(struct iospan *skel, struct maps *m);

#endif
