/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_KERNEL_LOSSES_H
#define IOSPAN_KERNEL_LOSSES_H

#include "user/kernel/maps.h"
#include "user/kernel/tracer.h"

/* How many runs of the program behind descriptor @fd the kernel left out. */
u64 program_missed(int fd);

/* Reads what the kernel left out of a program's runs; @fd is its descriptor. */
void losses_of_program(struct measurement *to, const char *program, int fd);

/* The counters, those of the programs and what only the tracer knows: whether disks
 * came late. */
void maps_losses(const struct maps *m, bool late_bios, struct measurement *to);

#endif
