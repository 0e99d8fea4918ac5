/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the bytes of files or disks that were accessed at least once. An extent is a range of
 * bytes. Extents that overlap or touch become one. */
#ifndef IOSPAN_EXTENTS_H
#define IOSPAN_EXTENTS_H

#include <stdbool.h>

#include "user/metric/span.h"

/* Maximum number of extents in memory; each takes up to 48 bytes. */
#define EXTENTS_MAX (1U << 24)

/* The extents of all files or disks. A zeroed struct is ready for use. */
struct extents {
	struct file_extents *files; /* files[i]: extents of the file or disk with number i */
	u32 files_n;
	u32 n;	   /* number of extents in memory */
	bool full; /* there were too many extents, so the number of bytes is unknown */
};

/* Adds @bytes bytes of the file or disk @file, from offset @offset on. */
void extents_add(struct extents *e, u32 file, u64 offset, u64 bytes);
void extents_release(struct extents *e);

/* Returns the number of bytes that were accessed at least once. Do not call it if @e is full. */
u128 extents_bytes(struct extents *e);

#endif
