/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The victims of a write to the target: all disks and files that share bytes with it, such as its
 * partitions, its whole disk, or the backing file of a loop device. The source of a victim is the
 * victim from which the search came to it. An overlay is an overlayfs mount, and a layer is one of
 * the directories below it. */
#ifndef IOSPAN_BENCH_GUARD_VICTIMS_H
#define IOSPAN_BENCH_GUARD_VICTIMS_H

#include <limits.h>
#include <sys/stat.h>
#include "bench/guard/use.h"
#include "user/host/disk.h"

#define HERE "self" /* the directory of iospan's own process in /proc */

/* How a victim is related to its source. */
enum relation {
	VICTIM_TARGET,
	VICTIM_PARTITION,
	VICTIM_WHOLE, /* the source is a partition of this victim, a disk */
	/* The source is a file in an overlay. This victim is the file in a layer that stores the
	 * data of the source. */
	VICTIM_REAL,
	/* The source is a loop device or stacked disk. This victim is a file or disk that stores
	 * data of it. */
	VICTIM_BELOW,
	/* This victim is a loop device or device-mapper disk. The source stores data of it. */
	VICTIM_ABOVE,
	/* None of the relations above. The victim shares bytes with the target through other
	 * victims. */
	VICTIM_OTHER,
};

struct victim {
	bool file; /* true: the victim is a file; false: the victim is a disk or partition */
	dev_t dev; /* device number of the disk; for a file, st_dev of its file system */
	u64 inode; /* inode number of the file; 0: unknown, so .name identifies the file */
	/* device number of the mount that contains the file, as in /proc/PID/mountinfo; on btrfs,
	 * for instance, st_dev differs from it */
	dev_t mount;
	size_t point; /* length of the mount point, which is the start of .name */
	/* directory of the file system that appears at the mount point; "": the root directory of
	 * the file system */
	char root[PATH_MAX];
	char name[PATH_MAX];
	/* a write to the target can change the bytes [from, to) of this victim */
	long long from, to;
	/* index of the source: the victim from which the search came to this victim */
	unsigned source;
	enum relation relation;
	/* true: the victim is the target itself, its whole disk, or one of its partitions. If the
	 * target is in an overlay, the file that stores its data is also such a victim. */
	bool own;
	/* true: a stacked disk has exclusively opened this victim, its whole disk, or one of its
	 * partitions */
	bool held;
};

/* A range of bytes of a loop device or linear device-mapper disk. .backing is the disk or file that
 * stores these bytes. */
struct segment {
	dev_t dev;
	char name[DISK_NAME];
	struct victim backing;
	/* The range starts at offset .start of the disk. In .backing, it starts at offset .offset.
	 * .size is the length of the range; LLONG_MAX: the range ends at the end of the disk. */
	long long start, offset, size;
	/* true: each byte of the disk may be anywhere in .backing */
	bool scattered;
};

/* Mounts that have been examined. Processes with the same mount namespace and root directory see
 * the same mounts. */
struct seen_mounts {
	u64 namespace, root, mount;
};

/* The search for users of the target. Element 0 of .at is the target; the other victims follow. */
struct victims {
	const struct host *host;
	struct victim *at;
	unsigned n;
	struct segment *segments;
	unsigned segments_n;
	/* name in /proc of the process or thread that is examined now; iospan reads its mounts */
	const char *pid;
	const char *process; /* name in /proc of the process that is examined now */
	pid_t thread;	     /* thread that was examined before the current one */
	/* sets of mounts that have been examined, so that each is examined once */
	struct seen_mounts *seen;
	unsigned seen_n;
	struct guard_use *use;
};

/* Finds all victims of a write to @target. The write may change any byte of the target. */
void victims_find(struct victims *v, const struct victim *target);
void victims_release(struct victims *v);
void victims_add_segment(struct victims *v, const struct segment *s);

/* Returns the index in v->at of the disk or partition with device number @dev; -1: none. */
int victim_by_dev(const struct victims *v, dev_t dev);
int victim_by_statx(const struct victims *v, const struct statx *st);
/* Returns the index in v->at of the disk or file that has the path @path in iospan's own mount
 * namespace; -1: none. */
int victim_by_path(const struct victims *v, const char *path);
/* Writes an error text about victim @i to v->use->why, and returns true. @fmt ends the text, such
 * as "is mounted". If victim @i is not the target itself, its relation to the target comes first:
 * "has partition 'sda1', which is mounted". */
bool victim_is(struct victims *v, int i, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
