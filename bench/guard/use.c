// SPDX-License-Identifier: GPL-2.0-or-later
/* Who uses a block device. The exclusive claim keeps everybody out who claims as well;
 * this finds the reason to print, and those who do not claim. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "bench/guard/use.h"
#include "user/base/err.h"

static void add_victim(struct victims *v, dev_t dev, const char *name)
{
	v->dev[v->n] = dev;
	snprintf(v->name[v->n++], DISK_NAME, "%.*s", DISK_NAME - 1, name);
}

/* The device itself comes first. */
static void find_victims(struct victims *v)
{
	char parts[DISK_PARTS][DISK_NAME];
	unsigned n;

	if (disk_by_dev(v->host, v->target, &v->disk)) {
		add_victim(v, v->target, ""); /* not in this sysfs: a claim tells */
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

int victim(const struct victims *v, dev_t dev)
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

int victim_at(const struct victims *v, const char *pid, const char *path)
{
	struct statx st;

	if (!file_seen_by(v->host, pid, path, &st) || !S_ISBLK(st.stx_mode))
		return -1;
	return victim(v, makedev(st.stx_rdev_major, st.stx_rdev_minor));
}

int say_victim(const struct victims *v, int i)
{
	if (!i)
		return snprintf(v->use->why, GUARD_WHY, "%s", "");
	return snprintf(v->use->why, GUARD_WHY,
			v->disk.partition[0] ? "is a partition of '%s', which " :
					       "has partition '%s', which ",
			v->name[i]);
}

/* ---- swap, and disks made of them ---- */

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
		i = victim_at(v, HERE, host_unescape(line));
		if (i < 0)
			continue;
		n = say_victim(v, i);
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
		n = say_victim(v, i);
		snprintf(v->use->why + n, GUARD_WHY - n, "is part of '%s'", holders[0]);
		return true;
	}
	return false;
}

/* A loop device with its file on the device itself, as "losetup /dev/sdb" makes it. */
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
		i = victim_at(v, HERE, path);
		if (i < 0)
			continue;
		n = say_victim(v, i);
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

bool guard_find_own_use(const struct host *h, dev_t dev, struct guard_use *use)
{
	return find_use(h, dev, use, false);
}

bool guard_find_use(const struct host *h, dev_t dev, struct guard_use *use)
{
	return find_use(h, dev, use, true) || guard_find_use_below(h, dev, use);
}

static bool take_number(const struct mount *m, void *arg)
{
	*(dev_t *)arg = makedev(m->major, m->minor);
	return true;
}

bool guard_find_mount(const struct host *h, int fd, const struct stat *file, struct guard_use *use)
{
	struct victims v = { .host = h, .file = file, .file_mount = file->st_dev, .use = use };
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	host_mount_of(h, path, take_number, &v.file_mount);
	return victims_mounted(&v);
}
