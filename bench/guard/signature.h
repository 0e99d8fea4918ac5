/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signatures on devices: the marks of file systems, swap, partition tables, LVM, md ... */
#ifndef IOSPAN_GUARD_SIGNATURE_H
#define IOSPAN_GUARD_SIGNATURE_H

#include <stdbool.h>

/* Refuses the device @fd if it has a signature that is not in the list @allowed, such as
 * "ext4,dos". @has_partitions: the kernel shows partitions of the device. If libblkid finds no
 * partition table for these partitions, @allowed must contain "partitions". Returns 0 or -errno;
 * prints the error. */
int guard_check_signature(const char *path, int fd, const char *allowed, bool has_partitions);

#endif
