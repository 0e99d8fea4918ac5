/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's disks, from sysfs. */
#ifndef IOSPAN_DEV_H
#define IOSPAN_DEV_H

#include <stdbool.h>
#include <stddef.h>
#include "bpf/types.h"

#define DEV_MAJOR(dev) ((dev) >> 20) /* the kernel's own dev_t */
#define DEV_MINOR(dev) ((dev)&0xfffff)

/* "254:0". Written to @buf, of DEV_TEXT bytes, and returned. */
#define DEV_TEXT 24
const char *dev_text(char *buf, u64 dev);

/* How many disks there are now, how many requests they can have in flight together
 * (tags of all hardware queues, the scheduler's included), and how many hardware
 * queues the one with the most has. */
void dev_capacity(unsigned *disks, unsigned *requests, unsigned *queues);

/* Each disk that is there now, and its number. */
void dev_each(void (*fn)(void *arg, const char *name, u32 dev), void *arg);

/* A disk without requests (dm, md, zram ...) that holds data is there now. */
bool dev_has_bio_based(void);

/* Does the kernel count what is in flight on disk @name? Not with queue/iostats
 * off, and not for disks whose driver does no accounting: brd, nvme multipath heads
 * before 6.12. */
bool dev_counts_inflight(const char *name);

/* That count; -1: not known, or the disk is gone. */
long dev_inflight(const char *name);

#endif
