/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the disks of this machine, from /sys/block. */
#ifndef IOSPAN_DEV_H
#define IOSPAN_DEV_H

#include <stdbool.h>
#include <stddef.h>
#include "bpf/types.h"

/* The kernel's internal dev_t has 12 bits for the major and 20 bits for the minor number. */
#define DEV_MAJOR(dev) ((dev) >> 20)
#define DEV_MINOR(dev) ((dev)&0xfffff)

/* writes a device number such as "254:0" to @buf of DEV_TEXT bytes, and returns @buf */
#define DEV_TEXT 24
const char *dev_text(char *buf, u64 dev);

/* Sets *@disks to the number of disks. Sets *@requests to the number of requests that can be in
 * flight on all disks together; each hardware queue counts as at least @least requests. Sets
 * *@queues to the largest number of hardware queues of a disk. */
void dev_capacity(unsigned least, unsigned *disks, unsigned *requests, unsigned *queues);

void dev_each(void (*fn)(void *arg, const char *name, u32 dev), void *arg);

/* Returns true if disk @name takes bios instead of requests (dm, md, zram ...). Returns false if
 * the size of the disk is 0. */
bool dev_is_bio_based(const char *name);

/* Returns true if disk @name was removed, or if its sequence number is not @diskseq. The kernel
 * changes this number when the disk gets or loses its medium. Returns false if this is not known,
 * for instance because /sys is not mounted. */
bool dev_is_absent(const char *name, u64 diskseq);

/* Returns true if the kernel counts all requests in flight on disk @name, or if the disk was
 * removed. In these cases, the kernel counts none or only a part of them:
 *
 * - queue/iostats is off.
 * - The disk's stat file shows neither reads nor writes. For brd this is always so. Before Linux
 *   6.12, it is also so for nvme multipath heads.
 * - The disk is of the device mapper. Requests that a target delays (dm-delay, dm-crypt), or that
 *   wait for a suspended disk, are not counted. */
bool dev_counts_inflight(const char *name);

/* Returns the kernel's count of requests in flight on disk @name; -1: the count is unknown, or the
 * disk was removed. */
long dev_inflight(const char *name);

#endif
