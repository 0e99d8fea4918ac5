/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The victims of a write to the target: everything that has some of its bytes. */
#ifndef IOSPAN_BENCH_GUARD_VICTIMS_H
#define IOSPAN_BENCH_GUARD_VICTIMS_H

#include <limits.h>
#include <sys/stat.h>
#include "bench/guard/use.h"
#include "user/host/disk.h"

#define HERE "self" /* iospan's own directory in /proc */

/* Relation of a victim to the one through which it was found. */
enum relation {
	VICTIM_TARGET,
	VICTIM_PARTITION,
	VICTIM_WHOLE, /* the disk of a partition */
	VICTIM_REAL,  /* the file that stores a file of an overlay */
	VICTIM_BELOW, /* the file or disk of which a loop device or stacked disk is made */
	VICTIM_ABOVE, /* a loop device or device-mapper disk made of it */
	VICTIM_OTHER, /* a victim of a victim */
};

struct victim {
	bool file;	     /* else a disk or partition */
	dev_t dev;	     /* of a file: st_dev */
	u64 inode;	     /* of a file; 0: unknown, so its name identifies it */
	dev_t mount;	     /* device number of the mount of a file; it may differ from st_dev */
	size_t point;	     /* length of the start of its name that is the mount point */
	char root[PATH_MAX]; /* of this mount; "": the root of the file system */
	char name[PATH_MAX];
	long long from, to; /* its bytes that a write to the target changes: [from, to) */
	unsigned source;    /* index of the victim through which it was found */
	enum relation relation;
	bool own;  /* the target by another name, its partition, or the disk of which it is one */
	bool held; /* below a stacked disk, which has claimed it; or such a disk's partition */
};

/* Bytes of a loop device or of a linear device-mapper disk, and where they are stored. */
struct segment {
	dev_t dev;
	char name[DISK_NAME];
	struct victim backing;
	long long start, offset,
		size; /* in the device, and in the backing; LLONG_MAX: to its end */
};

/* Identifies a set of mounts: a namespace, and the root directory of a process in it. */
struct seen_mounts {
	u64 namespace, root, mount;
};

/* A search for users of the victims. Victim 0 is the target. */
struct victims {
	const struct host *host;
	struct victim *at;
	unsigned n;
	struct segment *segments;
	unsigned segments_n;
	const char *pid;	  /* mounts are read as this process or thread sees them */
	const char *process;	  /* process that is examined now */
	pid_t thread;		  /* thread that was examined last */
	struct seen_mounts *seen; /* already examined */
	unsigned seen_n;
	struct guard_use *use;
};

/* Starts a search from this target, which covers all its bytes, and finds all victims. */
void victims_find(struct victims *v, const struct victim *target);
void victims_release(struct victims *v);
void victims_add_segment(struct victims *v, const struct segment *s);

/* Returns the index of the device with number @dev; -1: none. */
int victim_by_dev(const struct victims *v, dev_t dev);
/* Returns the device or file with this type, inode and device numbers; -1: none. */
int victim_by_statx(const struct victims *v, const struct statx *st);
/* Returns the victim that @path names here; -1: none. */
int victim_by_path(const struct victims *v, const char *path);
/* Writes the start of the clause: "has partition 'sda1', which ", or "" if victim @i is the target
 * itself. Returns its length. */
int start_clause(const struct victims *v, int i);

#endif
