/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the disks of this machine, from /sys/block. */
#ifndef IOSPAN_DEV_H
#define IOSPAN_DEV_H

#include <stdbool.h>
#include <stddef.h>
#include "bpf/types.h"

/* the kernel's dev_t: 12 bits major, 20 bits minor */
#define DEV_MAJOR(dev) ((dev) >> 20)
#define DEV_MINOR(dev) ((dev)&0xfffff)

/* writes a device number such as "254:0" to @buf of DEV_TEXT bytes, and returns it */
#define DEV_TEXT 24
const char *dev_text(char *buf, u64 dev);

/* Sets *@requests to the tags of all hardware queues, *@queues to the most queues of a disk. */
void dev_capacity(unsigned *disks, unsigned *requests, unsigned *queues);

void dev_each(void (*fn)(void *arg, const char *name, u32 dev), void *arg);

/* Returns true if a disk without requests (dm, md, zram ...) has a size above 0. */
bool dev_has_bio_based(void);

/* Returns true if the kernel counts the requests in flight of disk @name, or it was removed. It
 * does not if queue/iostats is off, for brd, or for nvme multipath heads before Linux 6.12. False
 * for dm, too: its count lacks requests that a target delays (dm-delay, dm-crypt) or that wait for
 * a suspended disk. */
bool dev_counts_inflight(const char *name);

/* Returns the kernel's count of requests in flight of disk @name; -1: unknown or removed. */
long dev_inflight(const char *name);

#endif
