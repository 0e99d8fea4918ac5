// SPDX-License-Identifier: GPL-2.0-or-later
/* The exclusive claim of guard.c already excludes users that claim the device. These checks find
 * the reason to print, and users that do not claim. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <limits.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include "bench/guard/use.h"
#include "bench/guard/processes.h"
#include "user/base/err.h"

static void add_victim(struct victims *v, dev_t dev, const char *name)
{
	v->dev[v->n] = dev;
	snprintf(v->name[v->n++], DISK_NAME, "%.*s", DISK_NAME - 1, name);
}

/* Victim 0 is the target. */
static void find_victims(struct victims *v)
{
	char parts[DISK_PARTS][DISK_NAME];
	unsigned n;

	if (disk_by_dev(v->host, v->target, &v->disk)) {
		add_victim(v, v->target,
			   ""); /* not in this sysfs: only the claim can find a user */
		return;
	}
	if (v->disk.partition[0]) {
		add_victim(v, v->target, v->disk.partition);
		add_victim(v, v->disk.dev, v->disk.name);
		return;
	}
	add_victim(v, v->disk.dev, v->disk.name);
	n = disk_partitions(&v->disk, parts, DISK_PARTS);
	v->use->has_partitions = n;
	for (unsigned i = 0; i < n && i < DISK_PARTS; i++) {
		dev_t dev;

		if (disk_partition_dev(&v->disk, parts[i], &dev))
			add_victim(v, dev, parts[i]);
	}
}

int victim_by_dev(const struct victims *v, dev_t dev)
{
	for (unsigned i = 0; i < v->n; i++)
		if (v->dev[i] == dev)
			return i;
	return -1;
}

bool file_seen_by(const struct host *h, const char *pid, const char *path, struct statx *st)
{
	char seen[PATH_MAX + 64];

	snprintf(seen, sizeof(seen), "%s/%s/root%s", h->proc, pid, path);
	return !statx(AT_FDCWD, seen, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_INO,
		      st);
}

int victim_by_path(const struct victims *v, const char *pid, const char *path)
{
	struct statx st;

	if (!file_seen_by(v->host, pid, path, &st) || !S_ISBLK(st.stx_mode))
		return -1;
	return victim_by_dev(v, makedev(st.stx_rdev_major, st.stx_rdev_minor));
}

int start_clause(const struct victims *v, int i)
{
	if (!i)
		return snprintf(v->use->why, GUARD_WHY, "%s", "");
	return snprintf(v->use->why, GUARD_WHY,
			v->disk.partition[0] ? "is a partition of '%s', which " :
					       "has partition '%s', which ",
			v->name[i]);
}

/* ---- swap, stacked disks and loop devices ---- */

static bool is_swap(struct victims *v)
{
	char path[PATH_MAX], *line = NULL;
	size_t size = 0;
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/swaps", v->host->proc);
	f = fopen(path, "re");
	while (f && !found && getline(&line, &size, f) > 0) {
		int i, n;

		if (line[0] != '/')
			continue;
		line[strcspn(line, " \t\n")] = '\0';
		i = victim_by_path(v, HERE, host_unescape(line));
		if (i < 0)
			continue;
		n = start_clause(v, i);
		snprintf(v->use->why + n, GUARD_WHY - n, "is used as swap");
		found = true;
	}
	if (f)
		fclose(f);
	free(line);
	return found;
}

static bool has_holder(struct victims *v)
{
	char holders[1][DISK_NAME], dir[DISK_NAME + 16];

	for (unsigned i = 0; i < v->n && v->disk.dir[0]; i++) {
		bool whole = v->dev[i] == v->disk.dev;
		int n;

		snprintf(dir, sizeof(dir), "%s%sholders", whole ? "" : v->name[i],
			 whole ? "" : "/");
		if (!disk_list(&v->disk, dir, holders, 1))
			continue;
		n = start_clause(v, i);
		snprintf(v->use->why + n, GUARD_WHY - n, "is part of '%s'", holders[0]);
		return true;
	}
	return false;
}

/* Is a victim the backing device of a loop device, as "losetup /dev/sdb" makes it? */
static bool is_below_loop(struct victims *v)
{
	char path[PATH_MAX];
	struct dirent *e;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/block", v->host->sys);
	dir = opendir(path);
	while (!found && dir && (e = readdir(dir))) {
		struct disk loop;
		int i, n;

		if (strncmp(e->d_name, "loop", 4) != 0 || disk_by_name(v->host, e->d_name, &loop) ||
		    loop.partition[0] || !disk_backing_file(&loop, path, sizeof(path)))
			continue;
		i = victim_by_path(v, HERE, path);
		if (i < 0)
			continue;
		n = start_clause(v, i);
		snprintf(v->use->why + n, GUARD_WHY - n, "is what '%s' is made of", loop.name);
		found = true;
	}
	if (dir)
		closedir(dir);
	return found;
}

static bool find_use(const struct host *h, dev_t dev, struct guard_use *use, bool by_loops)
{
	struct victims *v = need(calloc(1, sizeof(*v)));
	bool found;

	v->host = h;
	v->target = dev;
	v->use = use;
	use->why[0] = '\0';
	find_victims(v);
	found = victims_mounted(v) || is_swap(v) || has_holder(v) ||
		(by_loops && is_below_loop(v)) || victims_written(v);
	free(v);
	return found;
}

static bool copy_device_number(const struct mount *m, void *arg)
{
	*(dev_t *)arg = makedev(m->major, m->minor);
	return true;
}

bool guard_find_mount(const struct host *h, int fd, const struct stat *file, struct guard_use *use)
{
	struct victims v = { .host = h, .file = file, .file_mount = file->st_dev, .use = use };
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	host_mount_of(h, path, copy_device_number, &v.file_mount);
	return victims_mounted(&v);
}

/* ---- users of the backing file or device of a loop device ---- */

#define DEPTH 8 /* nesting of loop devices that is followed */

/* The bytes of a file or device that back a loop device. */
struct loop_backing {
	char path[PATH_MAX];
	long long from, to; /* bytes, [from, to) */
	struct loop_info64 info;
	bool known; /* @info is valid */
};

/* Identifies the backing file even if it was renamed or removed. */
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

static bool read_backing(const struct disk *loop, struct loop_backing *b)
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

static bool is_same_file(const struct host *h, const struct loop_backing *a,
			 const struct loop_backing *b)
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

/* Is @name another loop device in use that shares bytes with @b? */
static bool is_used_sibling(const struct host *h, const char *name, const struct disk *d,
			    const struct loop_backing *b, struct guard_use *use)
{
	struct guard_use other = { .has_partitions = false };
	struct loop_backing its;
	struct disk loop;

	if (strncmp(name, "loop", 4) != 0 || disk_by_name(h, name, &loop) || loop.partition[0] ||
	    loop.dev == d->dev || !read_backing(&loop, &its) || its.to <= b->from ||
	    b->to <= its.from || !is_same_file(h, &its, b) || !find_use(h, loop.dev, &other, false))
		return false;
	snprintf(use->why, GUARD_WHY, "has bytes of '%.60s', which %.400s", loop.name, other.why);
	return true;
}

static bool has_used_sibling(const struct host *h, const struct disk *d,
			     const struct loop_backing *b, struct guard_use *use)
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

/* True if @dev is a loop device and its backing file or device is in use, which a write to @dev
 * changes. */
static bool find_use_below(const struct host *h, dev_t dev, struct guard_use *use)
{
	struct guard_use other = { .has_partitions = false };
	struct loop_backing b;
	struct statx st;
	struct disk d;

	for (int i = 0; i < DEPTH && !disk_by_dev(h, dev, &d) && read_backing(&d, &b); i++) {
		if (has_used_sibling(h, &d, &b, use))
			return true;
		if (!file_seen_by(h, HERE, b.path, &st) || !S_ISBLK(st.stx_mode))
			return false;
		dev = makedev(st.stx_rdev_major, st.stx_rdev_minor);
		if (find_use(h, dev, &other, false)) {
			snprintf(use->why, GUARD_WHY, "is made of '%.60s', which %.400s", b.path,
				 other.why);
			return true;
		}
	}
	return false;
}

bool guard_find_use(const struct host *h, dev_t dev, struct guard_use *use)
{
	return find_use(h, dev, use, true) || find_use_below(h, dev, use);
}
