/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disks of this machine, from /sys/block. */
#ifndef IOSPAN_DEV_H
#define IOSPAN_DEV_H

#include <stdbool.h>
#include <stddef.h>
#include "bpf/types.h"

#define DEV_MAJOR(dev) ((dev) >> 20) /* of the kernel's internal dev_t */
#define DEV_MINOR(dev) ((dev)&0xfffff)

/* Writes "254:0" to @buf, of DEV_TEXT bytes, and returns it. */
#define DEV_TEXT 24
const char *dev_text(char *buf, u64 dev);

/* Sets the number of disks; the number of requests that they can have in flight together, which is
 * the sum of the tags of all hardware queues, scheduler tags included; and the largest number of
 * hardware queues of one disk. */
void dev_capacity(unsigned *disks, unsigned *requests, unsigned *queues);

/* Calls @fn for each disk. */
void dev_each(void (*fn)(void *arg, const char *name, u32 dev), void *arg);

/* Returns whether there is a disk without requests (dm, md, zram ...) with a size above 0. */
bool dev_has_bio_based(void);

/* Returns whether the kernel counts the requests in flight on disk @name. It does not if
 * queue/iostats is off, nor for drivers without accounting: brd, and nvme multipath heads before
 * 6.12. The device mapper does not count requests that a target delays (dm-delay, dm-crypt), nor
 * those that wait for a suspended disk. True if the disk no longer exists. */
bool dev_counts_inflight(const char *name);

/* Returns that count; -1: not known, or the disk no longer exists. */
long dev_inflight(const char *name);

#endif
