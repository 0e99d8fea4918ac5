/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Returns how much data a load can use: on its target, and in the page cache. */
#ifndef IOSPAN_LOAD_ROOM_H
#define IOSPAN_LOAD_ROOM_H

#include "bpf/types.h"

/* Size of @target; for a directory, 80 % of its free space. Returns 0 or -errno; prints the
 * error. */
int room_on_target(const char *target, u64 *bytes);

/* File data that fit into the page cache of a cgroup with memory limit @limit (0: none). */
u64 room_in_cache(u64 limit);

#endif
