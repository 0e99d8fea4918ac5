/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files by their names here, without questions to a server that may not answer. */
#ifndef IOSPAN_BENCH_GUARD_INODE_H
#define IOSPAN_BENCH_GUARD_INODE_H

#include "bench/guard/victims.h"

/* Reads type, inode and device numbers of @path. */
bool file_stat(const struct host *h, const char *path, struct statx *st);
/* Does @st describe @f, of which the inode is known? */
bool file_is(const struct victim *f, const struct statx *st);

/* Sets the mount of @f, which has a name. Returns true if it is on this machine, false if a server
 * has to be asked for it. */
bool file_find_mount(const struct host *h, struct victim *f);
/* Is @f the root of @m, which mounts the same file system? Looks for the root of @m below the mount
 * that holds @f, as the mount point of @m may be below a server that does not answer. */
bool file_is_root_of(const struct host *h, const struct victim *f, const struct mount *m);
/* If @f is on an overlay, replaces it by the file in the layer that stores it. Returns false if it
 * is on none, or the layer does not have it at the same path. */
bool file_enter_layer(const struct host *h, struct victim *f);

#endif
