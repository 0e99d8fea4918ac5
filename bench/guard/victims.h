/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The victims of a write to the target: all disks and files that have some of its bytes, such as
 * its partitions, its disk, or the backing file of a loop device. */
#ifndef IOSPAN_BENCH_GUARD_VICTIMS_H
#define IOSPAN_BENCH_GUARD_VICTIMS_H

#include <limits.h>
#include <sys/stat.h>
#include "bench/guard/use.h"
#include "user/host/disk.h"

#define HERE "self" /* iospan's own directory in /proc */

/* Relation of a victim to the victim from which the search found it. */
enum relation {
	VICTIM_TARGET,
	VICTIM_PARTITION,
	VICTIM_WHOLE, /* the disk on which the other victim is a partition */
	VICTIM_REAL,  /* the file that stores the data of the other victim, a file of an overlay */
	VICTIM_BELOW, /* a file or disk that stores bytes of the other victim */
	/* a loop device or device-mapper disk that has bytes stored on the other victim */
	VICTIM_ABOVE,
	VICTIM_OTHER, /* any relation to a victim that is not the target */
};

struct victim {
	bool file;    /* a file; false: a disk or partition */
	dev_t dev;    /* number of the device; for a file, st_dev */
	u64 inode;    /* inode of a file; 0: unknown, so the name identifies the file */
	dev_t mount;  /* device number in mountinfo of the file's mount; may differ from st_dev */
	size_t point; /* number of characters of .name that are the mount point */
	char root[PATH_MAX]; /* root of this mount in its file system; "": the root directory */
	char name[PATH_MAX];
	/* bytes [from, to) of the victim that a write to the target can change */
	long long from, to;
	unsigned source; /* index of the victim from which this one was found */
	enum relation relation;
	bool own;  /* the target itself, another name of it, its partition, or its whole disk */
	bool held; /* a stacked disk above has claimed it, its whole disk or its partition */
};

/* A range of bytes of a loop device or linear device-mapper disk, and the disk or file that stores
 * it (.backing). */
struct segment {
	dev_t dev;
	char name[DISK_NAME];
	struct victim backing;
	/* The start of the segment in the device (.start) and in .backing (.offset), and its bytes.
	 * .size is LLONG_MAX if the segment goes up to the end. */
	long long start, offset, size;
};

/* Identifies a set of mounts by its namespace and the root directory of a process. */
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
	const char *pid;	  /* process or thread in /proc from which mounts are read */
	const char *process;	  /* process that is examined now */
	pid_t thread;		  /* thread that was examined last */
	struct seen_mounts *seen; /* sets of mounts that were examined */
	unsigned seen_n;
	struct guard_use *use;
};

/* Finds all victims of a write to @target, any byte of which may be written. */
void victims_find(struct victims *v, const struct victim *target);
void victims_release(struct victims *v);
void victims_add_segment(struct victims *v, const struct segment *s);

/* Returns the index of the disk or partition with device number @dev; -1: none. */
int victim_by_dev(const struct victims *v, dev_t dev);
/* Returns the index of the disk or file with the type, inode and device numbers in @st; -1:
 * none. */
int victim_by_statx(const struct victims *v, const struct statx *st);
/* Returns the index of the disk or file at @path in iospan's own namespace; -1: none. */
int victim_by_path(const struct victims *v, const char *path);
/* Starts the text in v->use->why: "has partition 'sda1', which ", or "" if victim @i is the target.
 * Returns its length. */
int start_clause(const struct victims *v, int i);

#endif
