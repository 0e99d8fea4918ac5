// SPDX-License-Identifier: GPL-2.0-or-later
/* The file or device below a loop device, and its users. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "bench/guard/use.h"

#define DEPTH 8 /* loop devices made of loop devices */

/* The part of a file or device that a loop device is made of. */
struct loop_part {
	char path[PATH_MAX];
	long long from, to; /* bytes; @to is the first one after it */
	struct loop_info64 info;
	bool known; /* @info is */
};

/* The kernel knows the file of a loop device also when its name is gone or another file has it. */
static bool read_info(const struct disk *loop, struct loop_info64 *info)
{
	char path[64];
	bool known;
	int fd;

	snprintf(path, sizeof(path), "/dev/%.40s", loop->name);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	known = !ioctl(fd, LOOP_GET_STATUS64, info);
	close(fd);
	return known;
}

static bool read_backing(const struct disk *loop, struct loop_part *b)
{
	long long limit = 0;

	b->from = 0;
	if (!disk_backing_file(loop, b->path, sizeof(b->path)))
		return false;
	disk_number(loop, "loop/offset", &b->from);
	disk_number(loop, "loop/sizelimit", &limit);
	b->to = limit ? b->from + limit : LLONG_MAX;
	b->known = read_info(loop, &b->info);
	return true;
}

static bool is_same_file(const struct host *h, const struct loop_part *a, const struct loop_part *b)
{
	struct statx x, y;

	if (a->known && b->known)
		return a->info.lo_rdevice == b->info.lo_rdevice &&
			(a->info.lo_rdevice ||
			 (a->info.lo_device == b->info.lo_device &&
			  a->info.lo_inode == b->info.lo_inode));
	if (!strcmp(a->path, b->path))
		return true;
	if (!file_seen_by(h, HERE, a->path, &x) || !file_seen_by(h, HERE, b->path, &y))
		return false;
	if (S_ISBLK(x.stx_mode) && S_ISBLK(y.stx_mode))
		return x.stx_rdev_major == y.stx_rdev_major && x.stx_rdev_minor == y.stx_rdev_minor;
	return x.stx_ino == y.stx_ino && x.stx_dev_major == y.stx_dev_major &&
		x.stx_dev_minor == y.stx_dev_minor;
}

/* Is @name another loop device of bytes of @b, and in use? */
static bool is_used_sibling(const struct host *h, const char *name, const struct disk *d,
			    const struct loop_part *b, struct guard_use *use)
{
	struct guard_use other = { .has_partitions = false };
	struct loop_part its;
	struct disk loop;

	if (strncmp(name, "loop", 4) != 0 || disk_by_name(h, name, &loop) || loop.partition[0] ||
	    loop.dev == d->dev || !read_backing(&loop, &its) || its.to <= b->from ||
	    b->to <= its.from || !is_same_file(h, &its, b) ||
	    !guard_find_own_use(h, loop.dev, &other))
		return false;
	snprintf(use->why, GUARD_WHY, "has bytes of '%.60s', which %.400s", loop.name, other.why);
	return true;
}

static bool has_used_sibling(const struct host *h, const struct disk *d, const struct loop_part *b,
			     struct guard_use *use)
{
	char path[PATH_MAX];
	struct dirent *e;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/block", h->sys);
	dir = opendir(path);
	while (!found && dir && (e = readdir(dir)))
		found = is_used_sibling(h, e->d_name, d, b, use);
	if (dir)
		closedir(dir);
	return found;
}

bool guard_find_use_below(const struct host *h, dev_t dev, struct guard_use *use)
{
	struct guard_use other = { .has_partitions = false };
	struct loop_part b;
	struct statx st;
	struct disk d;

	for (int i = 0; i < DEPTH && !disk_by_dev(h, dev, &d) && read_backing(&d, &b); i++) {
		if (has_used_sibling(h, &d, &b, use))
			return true;
		if (!file_seen_by(h, HERE, b.path, &st) || !S_ISBLK(st.stx_mode))
			return false;
		dev = makedev(st.stx_rdev_major, st.stx_rdev_minor);
		if (guard_find_own_use(h, dev, &other)) {
			snprintf(use->why, GUARD_WHY, "is made of '%.60s', which %.400s", b.path,
				 other.why);
			return true;
		}
	}
	return false;
}
