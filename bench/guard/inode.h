/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds files by name, without network and FUSE servers, because they may not respond. */
#ifndef IOSPAN_BENCH_GUARD_INODE_H
#define IOSPAN_BENCH_GUARD_INODE_H

#include "bench/guard/victims.h"

/* Sets @st to the type, inode and device numbers of the file @path. Returns false if that fails. */
bool file_stat(const struct host *h, const char *path, struct statx *st);
/* Returns true if @st describes the file @f. The inode of @f must be known. */
bool file_is(const struct victim *f, const struct statx *st);

/* Finds the mount of @f by its name: .mount, .point, .root. Returns false if a server provides the
 * files. */
bool file_find_mount(const struct host *h, struct victim *f);
/* Returns true if @f itself is mounted as @m. Does not open the mount point, because its server may
 * not respond. */
bool file_is_root_of(const struct host *h, const struct victim *f, const struct mount *m);
/* If @f is in an overlay, replaces it by the layer's file that stores its data, and returns
 * true. */
bool file_enter_layer(const struct host *h, struct victim *f);

#endif
