/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One disk of a host: found by number, name or file; its attributes, its partitions and the disks
 * below it. Names are those of sysfs. */
#ifndef IOSPAN_DISK_H
#define IOSPAN_DISK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "user/host/host.h"
#include "bpf/types.h"

#define DISK_PARTS 256 /* the kernel's limit is 255 */

struct disk {
	dev_t dev;		   /* of the whole disk, as of stat(2) */
	char name[DISK_NAME];	   /* of the whole disk: "nvme0n1" */
	char partition[DISK_NAME]; /* "nvme0n1p2"; "": the whole disk is meant */
	char dir[PATH_MAX];	   /* of the whole disk, in sysfs */
};

/* Find the disk with this number or name, or the disk that has such a partition. Return -ENOENT if
 * there is none. */
int disk_by_dev(const struct host *h, dev_t dev, struct disk *d);
int disk_by_name(const struct host *h, const char *name, struct disk *d);

/* Finds the disk that @path is, or that holds its file system; the first one if there are several.
 * Returns -ENOENT if there is none, as for memory and network, or another -errno. */
int disk_by_path(const struct host *h, const char *path, struct disk *d);

/* Read the file @file of the disk's directory, such as "queue/rotational". Return false if it does
 * not exist or is not a number. */
bool disk_line(const struct disk *d, const char *file, char *buf, size_t size);
bool disk_number(const struct disk *d, const char *file, long long *v);

/* Lists the directory @dir of the disk, such as "slaves", in natural order. Returns the number
 * of names; the first @max of them are in @names. */
unsigned disk_list(const struct disk *d, const char *dir, char (*names)[DISK_NAME], unsigned max);

/* Lists the partitions in the same way. */
unsigned disk_partitions(const struct disk *d, char (*names)[DISK_NAME], unsigned max);
/* Sets the device number of a partition. Returns false if there is none of that name. */
bool disk_partition_dev(const struct disk *d, const char *partition, dev_t *dev);

/* Sets the path of the backing file of a loop device. Returns false if there is none. */
bool disk_backing_file(const struct disk *d, char *path, size_t size);
bool disk_is_memfd(const char *file); /* was the backing file made by memfd_create(2)? */

/* Finds the disk that holds the backing file of loop device @d. Reads only the list of mounts,
 * because the file's server may not answer. Returns -ENOENT if @d is no loop device, or its file is
 * in memory or on a server. */
int disk_behind(const struct host *h, const struct disk *d, struct disk *behind);

#endif
