/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's disks, from sysfs. */
#ifndef IOSPAN_DEV_H
#define IOSPAN_DEV_H

#include <stdbool.h>
#include <stddef.h>
#include "../bpf/types.h"

#define DEV_MAJOR(dev) ((dev) >> 20)		/* the kernel's own dev_t */
#define DEV_MINOR(dev) ((dev) & 0xfffff)

/* How many disks there are now, and how many requests they can have in flight
 * together (tags of all hardware queues, the scheduler's included). */
void dev_capacity(unsigned *disks, unsigned *requests);

/* A disk without requests (dm, md, zram ...) that holds data is there now. */
bool dev_has_bio_based(void);

/* Requests in flight on disk @name by the kernel's own count; -1: not known, or
 * the disk is gone. */
long dev_inflight(const char *name);

#endif
