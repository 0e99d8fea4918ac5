/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens disks by device number, because /dev may lack their nodes, for instance in a container. */
#ifndef IOSPAN_BENCH_GUARD_NODE_H
#define IOSPAN_BENCH_GUARD_NODE_H

#include <sys/types.h>

/* Opens the disk or partition @dev for reading, with @flags such as O_EXCL. If /dev/@name is not
 * this disk, makes a device node for the disk, which needs CAP_SYS_ADMIN and CAP_MKNOD. Returns a
 * descriptor or -errno. */
int node_open(const char *name, dev_t dev, int flags);

#endif
