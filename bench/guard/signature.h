/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_GUARD_SIGNATURE_H
#define IOSPAN_GUARD_SIGNATURE_H

#include <stdbool.h>

/* Refuses device @fd if it has a signature outside the list @allowed ("ext4,dos"), or partitions
 * without a known table (then needs "partitions"). Returns 0 or -errno; prints the error. */
int guard_check_signature(const char *path, int fd, const char *allowed, bool has_partitions);

#endif
