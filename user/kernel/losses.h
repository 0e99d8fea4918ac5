/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts events that iospan did not measure, or measured only in part, and runs of BPF programs. */
#ifndef IOSPAN_KERNEL_LOSSES_H
#define IOSPAN_KERNEL_LOSSES_H

#include "user/kernel/maps.h"

/* Returns how often the kernel skipped a run of the BPF program with descriptor @fd. */
u64 program_missed(int fd);

/* Returns the run time in ns of the BPF program with descriptor @fd, as the kernel has counted
 * it. */
u64 program_run_ns(int fd);

/* Adds the runs of the BPF program @program to @to->programs. @fd is the program's descriptor. */
void runs_of_program(struct measurement *to, const char *program, int fd);

/* Sets @to->losses. @late_bios is true if bio-based disks (dm, md ...) were added during the
 * measurement. */
void maps_losses(const struct maps *m, bool late_bios, struct measurement *to);

#endif
