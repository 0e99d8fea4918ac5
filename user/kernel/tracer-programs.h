/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the BPF programs to load, for tracer.c. */
#ifndef IOSPAN_TRACER_PROGRAMS_H
#define IOSPAN_TRACER_PROGRAMS_H

#include "user/kernel/tracer-options.h"

struct iospan; /* the libbpf skeleton of the BPF programs */

/* Chooses the BPF programs that @o needs. Some programs exist in variants for different kernels:
 * chooses the variant for this kernel. */
void tracer_programs_choose(struct iospan *skel, const struct tracer_options *o);

#endif
