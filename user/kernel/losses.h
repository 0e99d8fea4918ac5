/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the events that iospan measured not at all or only in part. Also counts the runs of BPF
 * programs. */
#ifndef IOSPAN_KERNEL_LOSSES_H
#define IOSPAN_KERNEL_LOSSES_H

#include "user/kernel/maps.h"

/* Returns how often the kernel skipped a run of the BPF program with descriptor @fd. */
u64 program_missed(int fd);

u64 program_run_ns(int fd);

/* Adds the runs of BPF program @program of @layer to @to->programs. @fd is its descriptor. */
void runs_of_program(struct measurement *to, const char *program, enum layer layer, int fd);

/* Sets @to->losses. @late_bios is true if a bio-based disk (dm, md ...) was added during the
 * measurement. */
void maps_losses(const struct maps *m, bool late_bios, struct measurement *to);

#endif
