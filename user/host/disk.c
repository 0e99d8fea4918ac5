// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds one disk by number, name or file. A backing file is the file that a loop device presents
 * as a disk. */
#include "user/host/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool copy_name(char name[DISK_NAME], const char *file)
{
	return snprintf(name, DISK_NAME, "%s", file) < DISK_NAME;
}

static bool read_dev_number(const char *dir, dev_t *dev)
{
	unsigned major, minor;
	char text[32];

	if (!host_line(text, sizeof(text), "%s/dev", dir) ||
	    sscanf(text, "%u:%u", &major, &minor) != 2)
		return false;
	*dev = makedev(major, minor);
	return true;
}

/* Sets @d to the disk of @link, a link in sysfs to the directory of a disk or partition. */
static int disk_by_link(const char *link, struct disk *d)
{
	char file[PATH_MAX + 16], *slash;

	if (!realpath(link, d->dir)) {
		d->dir[0] = '\0';
		return -errno;
	}
	d->partition[0] = '\0';
	snprintf(file, sizeof(file), "%s/partition", d->dir);
	slash = strrchr(d->dir, '/');
	if (!access(file, F_OK)) {
		if (!copy_name(d->partition, slash + 1))
			return -ENAMETOOLONG;
		*slash = '\0';
		slash = strrchr(d->dir, '/');
	}
	if (!copy_name(d->name, slash + 1))
		return -ENAMETOOLONG;
	return read_dev_number(d->dir, &d->dev) ? 0 : -ENOENT;
}

int disk_by_dev(const struct host *h, dev_t dev, struct disk *d)
{
	char link[PATH_MAX];

	snprintf(link, sizeof(link), "%s/dev/block/%u:%u", h->sys, major(dev), minor(dev));
	return disk_by_link(link, d);
}

int disk_by_name(const struct host *h, const char *name, struct disk *d)
{
	char link[PATH_MAX];

	snprintf(link, sizeof(link), "%s/class/block/%s", h->sys, name);
	return disk_by_link(link, d);
}

struct disk_search {
	const struct host *host;
	struct disk *disk;
};

static bool try_node(const struct disk_search *s, const char *path)
{
	struct statx st;

	return !statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE, &st) &&
		S_ISBLK(st.stx_mode) &&
		!disk_by_dev(s->host, makedev(st.stx_rdev_major, st.stx_rdev_minor), s->disk);
}

/* Finds the disk by the source of mount @m. This is needed for a file system such as btrfs, which
 * has a device number that belongs to no disk. Looks only at a source in /dev, because access to a
 * FUSE directory may block. */
static bool try_source(const struct mount *m, void *arg)
{
	return !strncmp(m->source, "/dev/", 5) && try_node(arg, m->source);
}

int disk_by_path(const struct host *h, const char *path, struct disk *d)
{
	struct disk_search s = { .host = h, .disk = d };
	struct stat st;

	if (stat(path, &st))
		return -errno;
	if (S_ISBLK(st.st_mode))
		return disk_by_dev(h, st.st_rdev, d);
	if (!disk_by_dev(h, st.st_dev, d))
		return 0;
	return host_mount_of(h, path, try_source, &s);
}

struct backing {
	struct disk_search to;
	const char *file; /* path of the loop device's backing file */
};

static bool try_mount(const struct mount *m, void *arg)
{
	struct backing *b = arg;
	bool here = m->major ? strncmp(m->type, "fuse", 4) != 0 :
			       !strcmp(m->type, "devtmpfs") || !strcmp(m->type, "tmpfs");

	/* The backing file may itself be a block device. To find this out, try_node() calls
	 * statx(2), which may block on FUSE or a network file system. `here` is true if the file
	 * system cannot block. */
	if (here && try_node(&b->to, b->file))
		return true;
	return !disk_by_dev(b->to.host, makedev(m->major, m->minor), b->to.disk) ||
		try_source(m, &b->to);
}

int disk_behind(const struct host *h, const struct disk *d, struct disk *behind)
{
	struct backing b = { .to = { .host = h, .disk = behind } };
	char file[PATH_MAX];

	if (!disk_backing_file(d, file, sizeof(file)) || disk_is_memfd(file))
		return -ENOENT;
	b.file = file;
	return host_mount_by_text(h, file, try_mount, &b);
}

bool disk_line(const struct disk *d, const char *file, char *buf, size_t size)
{
	return host_line(buf, size, "%s/%s", d->dir, file);
}

bool disk_number(const struct disk *d, const char *file, long long *v)
{
	char text[32], *end;

	if (!disk_line(d, file, text, sizeof(text)))
		return false;
	errno = 0;
	*v = strtoll(text, &end, 10);
	return !errno && end != text && !*end;
}

static int visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

unsigned disk_list(const struct disk *d, const char *dir, char (*names)[DISK_NAME], unsigned max)
{
	char path[PATH_MAX + NAME_MAX];
	struct dirent **entries;
	unsigned found = 0;
	int n;

	snprintf(path, sizeof(path), "%s/%s", d->dir, dir);
	n = scandir(path, &entries, visible, versionsort);
	for (int i = 0; i < n; i++) {
		if (found >= max || copy_name(names[found], entries[i]->d_name))
			found++;
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return found;
}

unsigned disk_partitions(const struct disk *d, char (*names)[DISK_NAME], unsigned max)
{
	char all[DISK_PARTS + 64][DISK_NAME];
	unsigned n = disk_list(d, ".", all, DISK_PARTS + 64), found = 0;

	for (unsigned i = 0; i < n && i < DISK_PARTS + 64; i++) {
		dev_t dev;

		if (!disk_partition_dev(d, all[i], &dev))
			continue;
		if (found < max)
			strcpy(names[found], all[i]);
		found++;
	}
	return found;
}

bool disk_partition_dev(const struct disk *d, const char *partition, dev_t *dev)
{
	char dir[PATH_MAX + DISK_NAME], number[16];

	snprintf(dir, sizeof(dir), "%s/%.*s", d->dir, DISK_NAME - 1, partition);
	return host_line(number, sizeof(number), "%s/partition", dir) && read_dev_number(dir, dev);
}

bool disk_is_memfd(const char *file)
{
	return !strncmp(file, "/memfd:", 7);
}

bool disk_backing_file(const struct disk *d, char *path, size_t size)
{
	return disk_line(d, "loop/backing_file", path, size);
}
