/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the users of a device or file, so that iospan does not write below them. */
#ifndef IOSPAN_BENCH_GUARD_USE_H
#define IOSPAN_BENCH_GUARD_USE_H

#include <sys/stat.h>

#include "bench/guard/guard.h"
#include "user/host/disk.h"

#define HERE "self" /* iospan's own directory in /proc */

/* One user, as a clause for an error: "is mounted on '/data'". */
#define GUARD_WHY 512
struct guard_use {
	char why[GUARD_WHY];
	bool has_partitions;
};

/* Identifies a set of mounts: a namespace, and the root directory of a process in it. */
struct seen_mounts {
	u64 namespace, root, mount;
};

/* A search for users. A victim is a device that a write to the target changes: the target itself,
 * its partitions, and the disk of which it is a partition. */
struct victims {
	const struct host *host;
	struct disk disk;
	dev_t target;
	const struct stat *file; /* the target, if it is a file; else NULL */
	dev_t file_mount; /* device number of the mount of @file; it may differ from st_dev */
	unsigned n;
	dev_t dev[DISK_PARTS + 1];
	char name[DISK_PARTS + 1][DISK_NAME];
	const char *pid;	  /* mounts are read as this process or thread sees them */
	const char *process;	  /* process that is examined now */
	pid_t thread;		  /* thread that was examined last */
	struct seen_mounts *seen; /* already examined */
	unsigned seen_n;
	struct guard_use *use;
};

/* Returns the index of the victim with number @dev; -1: none. */
int victim_by_dev(const struct victims *v, dev_t dev);
/* Reads type, inode and device numbers of @path as process @pid sees it. Asks no network server,
 * because it may not answer. */
bool file_seen_by(const struct host *h, const char *pid, const char *path, struct statx *st);
/* Returns the victim that @path names for process @pid; -1: none. */
int victim_by_path(const struct victims *v, const char *pid, const char *path);
/* Writes the start of the clause: "has partition 'sda1', which ", or "" if victim @i is the target
 * itself. Returns its length. */
int start_clause(const struct victims *v, int i);

/* True if device @dev, one of its partitions, or the disk of which it is a partition is in use, as
 * far as @h shows. */
bool guard_find_use(const struct host *h, dev_t dev, struct guard_use *use);
/* True if @file, open as @fd, is a mount point in the namespace of any process. */
bool guard_find_mount(const struct host *h, int fd, const struct stat *file, struct guard_use *use);

#endif
