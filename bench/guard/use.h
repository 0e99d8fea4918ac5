/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches for users of a target: mounts, processes, and disks that store data on it. Also searches
 * for signatures on the target: the marks of file systems, swap, partition tables, LVM, md, ZFS and
 * bcache. */
#ifndef IOSPAN_BENCH_GUARD_USE_H
#define IOSPAN_BENCH_GUARD_USE_H

#include <sys/stat.h>
#include "bench/guard/guard.h"

/* size of the text that describes one user, such as "is mounted on '/data'" */
#define GUARD_WHY 512
struct guard_use {
	char why[GUARD_WHY];
	bool has_partitions;
};

/* Returns true if device @dev, or a disk or file that shares bytes with it (victims.h), is in use.
 * @h is the machine to search. */
bool guard_find_use(const struct host *h, dev_t dev, struct guard_use *use);
/* Returns true if the file @file is mounted in any mount namespace. Also returns true if a loop
 * device or process uses the file through an overlay. */
bool guard_find_file_use(const struct host *h, int fd, const struct stat *file,
			 struct guard_use *use);

/* Refuses the device @fd if it has a signature that is not in the list @allowed, such as
 * "ext4,dos". @has_partitions: the kernel shows partitions of the device. If libblkid finds no
 * partition table for these partitions, @allowed must contain "partitions". Returns 0 or -errno;
 * prints the error. */
int guard_check_signature(const char *path, int fd, const char *allowed, bool has_partitions);

#endif
