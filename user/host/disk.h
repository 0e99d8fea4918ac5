/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds one disk by number, name or file, and reads its attributes in sysfs. A disk has the name
 * that sysfs uses. */
#ifndef IOSPAN_DISK_H
#define IOSPAN_DISK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "user/host/host.h"
#include "bpf/types.h"

#define DISK_PARTS 256 /* maximum number of partitions that are read; the kernel permits 255 */

struct disk {
	dev_t dev;	      /* number of the whole disk, as in stat(2) */
	char name[DISK_NAME]; /* name of the whole disk, such as "nvme0n1" */
	/* name of the partition, such as "nvme0n1p2", if the disk was found by a partition; else
	 * "" */
	char partition[DISK_NAME];
	char dir[PATH_MAX]; /* directory of the whole disk in sysfs */
};

/* Set @d to the disk that has this number or name. For the number or name of a partition, set @d to
 * the disk that contains the partition. Return 0, or -ENOENT if there is none. */
int disk_by_dev(const struct host *h, dev_t dev, struct disk *d);
int disk_by_name(const struct host *h, const char *name, struct disk *d);

/* If @path is a block device, sets @d to its disk. Otherwise sets @d to the disk that stores the
 * file system of @path. If several disks store it, takes the first of these disks. Returns 0, or
 * -errno. Returns -ENOENT if no disk stores the file system, because it is in memory or on a
 * network. */
int disk_by_path(const struct host *h, const char *path, struct disk *d);

/* Read the first line of @file in the disk's sysfs directory, such as "queue/rotational", as text
 * or as a number. Return false if there is no such line or number. */
bool disk_line(const struct disk *d, const char *file, char *buf, size_t size);
bool disk_number(const struct disk *d, const char *file, long long *v);

/* Lists directory @dir of the disk, such as "slaves", sorted so that sda2 is before sda10. Stores
 * the first @max names in @names. Returns the number of all names. */
unsigned disk_list(const struct disk *d, const char *dir, char (*names)[DISK_NAME], unsigned max);

/* Lists the partitions of the disk. Stores the first @max in @names. Returns the number of all
 * partitions. */
unsigned disk_partitions(const struct disk *d, char (*names)[DISK_NAME], unsigned max);
bool disk_partition_dev(const struct disk *d, const char *partition, dev_t *dev);

/* Sets @path to the path of the backing file of loop device @d. Returns false if @d has no backing
 * file. */
bool disk_backing_file(const struct disk *d, char *path, size_t size);
bool disk_is_memfd(const char *file); /* returns true if memfd_create(2) made the backing file */

/* Sets @behind to the disk that contains the backing file of loop device @d. Reads only the list of
 * mounts, because access to the file may block on a file server. Returns 0. Returns -ENOENT if @d
 * is no loop device, or if the file is in memory or on a server. */
int disk_behind(const struct host *h, const struct disk *d, struct disk *behind);

#endif
