/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the BPF programs to load, reads the counts of their runs, and detaches those of the vfs
 * layer, for tracer.c. The programs are those of the skeleton, and the copies that calls.h makes
 * for system calls. */
#ifndef IOSPAN_TRACER_PROGRAMS_H
#define IOSPAN_TRACER_PROGRAMS_H

#include "user/kernel/calls.h"
#include "user/kernel/tracer-options.h"
#include "user/metric/measurement.h"

struct iospan; /* the libbpf skeleton of the BPF programs */

/* Chooses the BPF programs that @o needs. If a program has variants for different kernels, chooses
 * the variant for this kernel. */
void tracer_programs_choose(struct iospan *skel, const struct tracer_options *o);

void tracer_programs_measure(const struct iospan *skel, const struct call_programs *calls,
			     struct measurement *m);

u64 tracer_programs_vfs_run_ns(const struct iospan *skel, const struct call_programs *calls);

/* Detaches the programs of the vfs layer, and waits until none of them runs. They stay loaded, so
 * that the counts of their runs can still be read. */
void tracer_programs_stop_vfs(struct iospan *skel, struct call_programs *calls);

#endif
