/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Returns how much data a load can use on its target, and how much the page cache can hold. */
#ifndef IOSPAN_LOAD_ROOM_H
#define IOSPAN_LOAD_ROOM_H

#include "bpf/types.h"

/* Sets @bytes to the size of the file or device @target. If @target is a directory, sets it to 80 %
 * of the free space. Returns 0 or -errno; prints the error. */
int room_on_target(const char *target, u64 *bytes);

/* Returns how many bytes the page cache can hold with the memory limit @limit (0: none). */
u64 room_in_cache(u64 limit);

#endif
