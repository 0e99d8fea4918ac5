/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds files by name. Avoids files on network and FUSE servers, because a server may not respond.
 * Opens disks by number, because /dev may lack their nodes, for instance in a container. */
#ifndef IOSPAN_BENCH_GUARD_INODE_H
#define IOSPAN_BENCH_GUARD_INODE_H

#include "bench/guard/victims.h"

/* Sets @st to the type, inode and device numbers of the file @path. Returns false if that fails. */
bool file_stat(const struct host *h, const char *path, struct statx *st);
/* Returns true if @st describes the file @f. The inode of @f must be known. */
bool file_is(const struct victim *f, const struct statx *st);

/* Finds the mount that contains the file @f, by the name of @f. Sets f->mount, f->point and
 * f->root. Returns false if a network or FUSE server provides the file. */
bool file_find_mount(const struct host *h, struct victim *f);
/* Returns true if the mount @m shows only the file @f, as after "mount --bind FILE POINT". Does not
 * open the mount point of @m, because it may be on a server that does not respond. */
bool file_is_root_of(const struct host *h, const struct victim *f, const struct mount *m);
/* If the file @f is in an overlay, replaces @f by the file of the layer that stores its data, and
 * returns true. Otherwise returns false. */
bool file_enter_layer(const struct host *h, struct victim *f);

/* Opens the disk or partition @dev for reading, with @flags such as O_EXCL. If /dev/@name is not
 * this disk, makes a device node for the disk, which needs CAP_SYS_ADMIN and CAP_MKNOD. Returns a
 * descriptor or -errno. */
int node_open(const char *name, dev_t dev, int flags);

#endif
