/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Room for a load: on its target and in the page cache. */
#ifndef IOSPAN_LOAD_ROOM_H
#define IOSPAN_LOAD_ROOM_H

#include "bpf/types.h"

/* Bytes of a device or file, or 80 % of the free space of a directory's file system. -errno,
 * printed. */
int room_on_target(const char *target, u64 *bytes);

/* Bytes that the page cache can take for a group whose memory has this limit; 0: no limit. */
u64 room_in_cache(u64 limit);

#endif
