/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of events that were not, or not fully, measured. */
#ifndef IOSPAN_KERNEL_LOSSES_H
#define IOSPAN_KERNEL_LOSSES_H

#include "user/kernel/maps.h"

/* The count of runs of a program that the kernel skipped. @fd: descriptor of the program. */
u64 program_missed(int fd);

/* Adds that count to @to->missed. */
void losses_of_program(struct measurement *to, const char *program, int fd);

/* Fills in @to->losses. @late_bios: disks that take bios were added during the measurement. */
void maps_losses(const struct maps *m, bool late_bios, struct measurement *to);

#endif
