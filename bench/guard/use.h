/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files that find out who uses a device. */
#ifndef IOSPAN_BENCH_GUARD_USE_H
#define IOSPAN_BENCH_GUARD_USE_H

#include <sys/stat.h>

#include "bench/guard/guard.h"
#include "user/host/disk.h"

#define HERE "self" /* the process that we are */

/* The mounts below one root in a namespace. */
struct seen_mounts {
	u64 namespace, root, mount;
};

/* Whatever is written to the device changes one of these. */
struct victims {
	const struct host *host;
	struct disk disk;
	dev_t target;
	const struct stat *file; /* the target is this file, and no device */
	dev_t file_mount;	 /* number that its mount shows, which may be another */
	unsigned n;
	dev_t dev[DISK_PARTS + 1];
	char name[DISK_PARTS + 1][DISK_NAME];
	const char *pid;	  /* whose mounts are looked at, HERE: our own */
	const char *process;	  /* the one that is looked at */
	pid_t thread;		  /* the last one that was looked at */
	struct seen_mounts *seen; /* those that were looked at */
	unsigned seen_n;
	struct guard_use *use;
};

/* Which of them has number @dev; -1: none. */
int victim(const struct victims *v, dev_t dev);
/* Looks at @path as process @pid sees it: type, inode and numbers. A server is not asked, as it may
 * not answer. */
bool file_seen_by(const struct host *h, const char *pid, const char *path, struct statx *st);
/* The one that a path leads to, as process @pid sees it. */
int victim_at(const struct victims *v, const char *pid, const char *path);
/* Begins the clause with "has partition 'sda1', which ", unless victim @i is the device
 * itself; returns its length. */
int say_victim(const struct victims *v, int i);

/* Like guard_find_use(), without loop devices. */
bool guard_find_own_use(const struct host *h, dev_t dev, struct guard_use *use);
/* True when a loop device is made of what somebody uses; of another device, it writes to that. */
bool guard_find_use_below(const struct host *h, dev_t dev, struct guard_use *use);

/* True when somebody uses device @dev, its partitions or the disk that it is a
 * partition of, as far as @h can tell. */
bool guard_find_use(const struct host *h, dev_t dev, struct guard_use *use);
bool guard_find_mount(const struct host *h, int fd, const struct stat *file, struct guard_use *use);

#endif
