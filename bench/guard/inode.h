/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Examines files by name without asking a network or FUSE server, because the server may not
 * answer. */
#ifndef IOSPAN_BENCH_GUARD_INODE_H
#define IOSPAN_BENCH_GUARD_INODE_H

#include "bench/guard/victims.h"

/* Reads type, inode and device numbers of @path into @st. Returns false if that fails. */
bool file_stat(const struct host *h, const char *path, struct statx *st);
/* Returns true if @st is of the file @f, which has a known inode. */
bool file_is(const struct victim *f, const struct statx *st);

/* Finds the mount that contains the file @f, by its name, and sets f->mount, f->point and f->root.
 * Returns true if the file system is on this machine, false if a server provides it. */
bool file_find_mount(const struct host *h, struct victim *f);
/* Returns true if the file @f is the root of the mount @m, which mounts the same file system.
 * Searches below the mount that contains @f, because a server that does not answer may provide the
 * mount point of @m. */
bool file_is_root_of(const struct host *h, const struct victim *f, const struct mount *m);
/* If @f is a file of an overlay, replaces it by the file in the layer that stores its data. Returns
 * false if @f is not on an overlay, or no layer has it at the same path. */
bool file_enter_layer(const struct host *h, struct victim *f);

#endif
