/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds one disk of a host by number, name or file. Reads its attributes, its partitions and the
 * disks below it from sysfs. The names of disks are those in sysfs. */
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

/* Find the disk that has this number or name. If it is the number or name of a partition, find the
 * disk of the partition. Return 0, or -ENOENT if there is none. */
int disk_by_dev(const struct host *h, dev_t dev, struct disk *d);
int disk_by_name(const struct host *h, const char *name, struct disk *d);

/* If @path is a block device, finds its disk. Otherwise finds the disk that holds the file system
 * of @path; if there are several, the first one. Returns -ENOENT if there is none, as for a file
 * system in memory or on a network, or another -errno. */
int disk_by_path(const struct host *h, const char *path, struct disk *d);

/* Read @file in the disk's directory, such as "queue/rotational": disk_line() its first line,
 * disk_number() a number. Return false if it does not exist or is not a number. */
bool disk_line(const struct disk *d, const char *file, char *buf, size_t size);
bool disk_number(const struct disk *d, const char *file, long long *v);

/* Lists the directory @dir of the disk, such as "slaves", sorted so that sda2 is before sda10.
 * Stores the first @max names in @names. Returns the number of all names. */
unsigned disk_list(const struct disk *d, const char *dir, char (*names)[DISK_NAME], unsigned max);

/* Lists the partitions of the disk. Stores the first @max names in @names. Returns the number of
 * partitions. */
unsigned disk_partitions(const struct disk *d, char (*names)[DISK_NAME], unsigned max);
/* Sets *@dev to the device number of @partition. Returns false if the disk has no partition of that
 * name. */
bool disk_partition_dev(const struct disk *d, const char *partition, dev_t *dev);

/* Sets @path to the backing file of loop device @d. Returns false if @d has none. */
bool disk_backing_file(const struct disk *d, char *path, size_t size);
bool disk_is_memfd(const char *file); /* returns true if memfd_create(2) made the backing file */

/* Finds the disk that holds the backing file of loop device @d. Reads only the list of mounts and
 * does not access the file, because a file server may not answer. Returns -ENOENT if @d is no loop
 * device, or if the file is in memory or on a server. */
int disk_behind(const struct host *h, const struct disk *d, struct disk *behind);

#endif
