/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One disk of a host: which one lies below a file, what sysfs says of it, and
 * which disks it is made of. Names are those of sysfs. */
#ifndef IOSPAN_DISK_H
#define IOSPAN_DISK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "user/host/host.h"
#include "bpf/types.h"

#define DISK_PARTS 256 /* the kernel's own limit is 255 */

struct disk {
	dev_t dev;		   /* of the whole disk, as stat() gives it */
	char name[DISK_NAME];	   /* "nvme0n1": always that of the whole disk */
	char partition[DISK_NAME]; /* "nvme0n1p2"; "": the whole disk is meant */
	char dir[PATH_MAX];	   /* the whole disk's directory in sysfs */
};

/* The disk with device number @dev, or whose partition that is. -ENOENT: the host
 * knows none. */
int disk_by_dev(const struct host *h, dev_t dev, struct disk *d);
int disk_by_name(const struct host *h, const char *name, struct disk *d);

/* The disk that @path is, or that holds its file system: the first of them, when
 * there are several. -ENOENT: none, as for memory and network; else -errno. */
int disk_by_path(const struct host *h, const char *path, struct disk *d);

/* What file @file of the disk's directory says: "queue/rotational". */
bool disk_line(const struct disk *d, const char *file, char *buf, size_t size);
bool disk_number(const struct disk *d, const char *file, long long *v);

/* Names below a directory of the disk's, such as "slaves" or "holders", in order:
 * how many; the first @max of them in @names. */
unsigned disk_list(const struct disk *d, const char *dir, char (*names)[DISK_NAME], unsigned max);

/* Its partitions, in the same way; and one's device number. */
unsigned disk_partitions(const struct disk *d, char (*names)[DISK_NAME], unsigned max);
bool disk_partition_dev(const struct disk *d, const char *partition, dev_t *dev);

/* The backing file of a loop device. False: another disk, or no file. */
bool disk_backing_file(const struct disk *d, char *path, size_t size);
bool disk_is_memfd(const char *file); /* is a backing file made by memfd_create()? */

/* The disk that holds the backing file of loop device @d. The file's server may not answer, so only
 * the list of mounts is read. -ENOENT: no loop device, or a file in memory or on a server. */
int disk_behind(const struct host *h, const struct disk *d, struct disk *behind);

#endif
