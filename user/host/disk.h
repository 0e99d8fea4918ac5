/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a disk by number, name or file, and reads sysfs about it. Names are those of sysfs. */
#ifndef IOSPAN_DISK_H
#define IOSPAN_DISK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "user/host/host.h"
#include "bpf/types.h"

#define DISK_PARTS 256 /* largest number of partitions that is read; the kernel permits 255 */

struct disk {
	dev_t dev;		   /* number of the whole disk, as in stat(2) */
	char name[DISK_NAME];	   /* name of the whole disk, such as "nvme0n1" */
	char partition[DISK_NAME]; /* such as "nvme0n1p2"; "": the whole disk was given */
	char dir[PATH_MAX];	   /* directory of the whole disk in sysfs */
};

/* Find the disk of this number or name, also of a partition. Return 0 or -ENOENT. */
int disk_by_dev(const struct host *h, dev_t dev, struct disk *d);
int disk_by_name(const struct host *h, const char *name, struct disk *d);

/* Finds the disk of block device @path, or of the file system of @path (the first of several).
 * -ENOENT: none, as for memory or a network; or -errno. */
int disk_by_path(const struct host *h, const char *path, struct disk *d);

/* Read a line or number in @file of the disk, as "queue/rotational", or return false. */
bool disk_line(const struct disk *d, const char *file, char *buf, size_t size);
bool disk_number(const struct disk *d, const char *file, long long *v);

/* Lists directory @dir of the disk, such as "slaves", with sda2 before sda10: the first @max in
 * @names. Returns the number of all. */
unsigned disk_list(const struct disk *d, const char *dir, char (*names)[DISK_NAME], unsigned max);

/* Lists partitions, the first @max in @names. Returns the number of all. */
unsigned disk_partitions(const struct disk *d, char (*names)[DISK_NAME], unsigned max);
bool disk_partition_dev(const struct disk *d, const char *partition, dev_t *dev);

/* Sets @path to the backing file of loop device @d, or returns false. */
bool disk_backing_file(const struct disk *d, char *path, size_t size);
bool disk_is_memfd(const char *file); /* returns true if memfd_create(2) made the backing file */

/* Finds the disk with loop device @d's backing file by the list of mounts: access to the file may
 * block on a server. -ENOENT: @d is no loop device, or the file is in memory or on a server. */
int disk_behind(const struct host *h, const struct disk *d, struct disk *behind);

#endif
