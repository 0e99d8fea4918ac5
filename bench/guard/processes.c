// SPDX-License-Identifier: GPL-2.0-or-later
/* What every process shows of the devices that it uses. */
#include <dirent.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "bench/guard/use.h"
#include "bench/guard/processes.h"
#include "user/base/err.h"

static bool is_number(const char *name)
{
	return name[0] >= '1' && name[0] <= '9';
}

/* The threads but the first: each may have descriptors and mounts of its own, and the first may have
 * ended. */
static bool any_thread(struct victims *v, bool (*fn)(struct victims *v, const char *tid))
{
	char path[PATH_MAX];
	struct dirent *e;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s/task", v->host->proc, v->process);
	dir = opendir(path);
	while (!found && dir && (e = readdir(dir)))
		found = is_number(e->d_name) && strcmp(e->d_name, v->process) != 0 &&
			fn(v, e->d_name);
	if (dir)
		closedir(dir);
	return found;
}

/* True as soon as @fn is, for some thread of the host; @v->process is that of the thread. */
static bool any_process(struct victims *v, bool (*fn)(struct victims *v, const char *tid))
{
	DIR *dir = opendir(v->host->proc);
	struct dirent *e;
	bool found = false;

	while (!found && dir && (e = readdir(dir))) {
		v->process = e->d_name;
		found = is_number(e->d_name) && (fn(v, e->d_name) || any_thread(v, fn));
	}
	if (dir)
		closedir(dir);
	return found;
}

/* ---- mounts, of every namespace that some process is in ---- */

/* Is the mount point the file itself? Container runtimes mount files one by one. */
static bool is_file_at(const struct victims *v, const struct mount *m)
{
	struct statx st;

	return makedev(m->major, m->minor) == v->file_mount &&
		file_seen_by(v->host, v->pid, m->point, &st) && S_ISREG(st.stx_mode) &&
		st.stx_ino == v->file->st_ino &&
		makedev(st.stx_dev_major, st.stx_dev_minor) == v->file->st_dev;
}

static bool is_mount_of(const struct mount *m, void *arg)
{
	const struct victims *v = arg;
	int i = v->file ? -!is_file_at(v, m) : victim(v, makedev(m->major, m->minor)), n;

	/* btrfs and FUSE show a number of their own */
	if (i < 0 && !v->file && !m->major && !strncmp(m->source, "/dev/", 5))
		i = victim_at(v, v->pid, m->source);
	if (i < 0)
		return false;
	n = say_victim(v, i);
	n += snprintf(v->use->why + n, GUARD_WHY - n, "is mounted on '%.200s'", m->point);
	if (n < GUARD_WHY && strcmp(v->pid, HERE) != 0)
		snprintf(v->use->why + n, GUARD_WHY - n, " in the mount namespace of process %s",
			 v->pid);
	return true;
}

static bool mounted_for(struct victims *v, const char *pid)
{
	char path[PATH_MAX];

	v->pid = pid;
	snprintf(path, sizeof(path), "%s/%s/mountinfo", v->host->proc, pid);
	return host_mounts(path, is_mount_of, v) == 1;
}

/* Have the mounts that @pid sees been looked at? Notes it. Many thousand processes share a few
 * namespaces. A process sees those mounts of its namespace that are below its root. */
static bool is_known_namespace(struct victims *v, const char *pid)
{
	struct seen_mounts now = {};
	char path[PATH_MAX];
	struct statx root;
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s/ns/mnt", v->host->proc, pid);
	if (stat(path, &st))
		return false;
	now.namespace = st.st_ino;
	snprintf(path, sizeof(path), "%s/%s/root", v->host->proc, pid);
	if (!statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_INO | STATX_MNT_ID, &root)) {
		now.root = root.stx_ino;
		now.mount = root.stx_mnt_id;
	}
	for (unsigned i = 0; i < v->seen_n; i++)
		if (!memcmp(&v->seen[i], &now, sizeof(now)))
			return true;
	v->seen = need(realloc(v->seen, (v->seen_n + 1) * sizeof(*v->seen)));
	v->seen[v->seen_n++] = now;
	return false;
}

static bool mounted_elsewhere(struct victims *v, const char *pid)
{
	return !is_known_namespace(v, pid) && mounted_for(v, pid);
}

bool victims_mounted(struct victims *v)
{
	bool found;

	is_known_namespace(v, HERE);
	found = mounted_for(v, HERE) || any_process(v, mounted_elsewhere);
	free(v->seen);
	return found;
}

/* ---- open for writing, without a claim ---- */

/* Is descriptor @fd of process @pid one for writing to a victim? Its number; or -1. */
static int victim_written(const struct victims *v, const char *pid, const char *fd)
{
	char path[PATH_MAX], line[64];
	unsigned flags = 0;
	struct statx st;
	FILE *f;
	int i;

	snprintf(path, sizeof(path), "%s/%s/fd/%s", v->host->proc, pid, fd);
	/* what is known without asking a server, which may not answer */
	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE, &st) || !S_ISBLK(st.stx_mode))
		return -1;
	i = victim(v, makedev(st.stx_rdev_major, st.stx_rdev_minor));
	if (i < 0)
		return -1;
	snprintf(path, sizeof(path), "%s/%s/fdinfo/%s", v->host->proc, pid, fd);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "flags: %o", &flags);
	if (f)
		fclose(f);
	return (flags & O_ACCMODE) == O_RDONLY ? -1 : i;
}

/* The victim that a descriptor of process @pid writes to; -1: none. */
static int victim_open(const struct victims *v, const char *pid)
{
	char path[PATH_MAX];
	struct dirent *e;
	int i = -1;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s/fd", v->host->proc, pid);
	dir = opendir(path);
	while (i < 0 && dir && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			i = victim_written(v, pid, e->d_name);
	if (dir)
		closedir(dir);
	return i;
}

/* The victim that process @pid writes to by shared mapping @range; -1: none. The descriptor of the
 * mapping may be closed. The link has the rights with which the file was opened. */
static int victim_in_range(const struct victims *v, const char *pid, const char *range)
{
	int flags = AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT;
	char path[PATH_MAX];
	struct stat link;
	struct statx st;

	snprintf(path, sizeof(path), "%s/%s/map_files/%s", v->host->proc, pid, range);
	if (lstat(path, &link) || !(link.st_mode & S_IWUSR) ||
	    statx(AT_FDCWD, path, flags, STATX_TYPE, &st) || !S_ISBLK(st.stx_mode))
		return -1;
	return victim(v, makedev(st.stx_rdev_major, st.stx_rdev_minor));
}

static int victim_mapped(const struct victims *v, const char *pid)
{
	char path[PATH_MAX], *line = NULL, range[64], rights[8];
	size_t size = 0;
	int i = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/maps", v->host->proc, pid);
	f = fopen(path, "re");
	while (i < 0 && f && getline(&line, &size, f) > 0)
		if (sscanf(line, "%63s %7s", range, rights) == 2 && rights[3] == 's')
			i = victim_in_range(v, pid, range);
	if (f)
		fclose(f);
	free(line);
	return i;
}

/* Has thread @tid the descriptors and the memory of the one before? */
static bool is_like_last(struct victims *v, pid_t tid)
{
	pid_t last = v->thread;

	v->thread = tid;
	return last && !syscall(SYS_kcmp, last, tid, KCMP_FILES, 0, 0) &&
		!syscall(SYS_kcmp, last, tid, KCMP_VM, 0, 0);
}

static bool is_written_by(struct victims *v, const char *pid)
{
	const char *how = "open";
	char name[64];
	int i = victim_open(v, pid), n;

	if (i < 0) {
		how = "mapped";
		i = victim_mapped(v, pid);
	}
	if (i < 0)
		return false;
	host_line(name, sizeof(name), "%s/%s/comm", v->host->proc, v->process);
	n = say_victim(v, i);
	snprintf(v->use->why + n, GUARD_WHY - n, "is %s for writing in process %s, '%s'", how,
		 v->process, name);
	return true;
}

static bool is_written_by_other(struct victims *v, const char *tid)
{
	return atoi(v->process) != getpid() && !is_like_last(v, atoi(tid)) && is_written_by(v, tid);
}

/* Virtual machines and data bases write to disks that they do not claim. */
bool victims_written(struct victims *v)
{
	return any_process(v, is_written_by_other);
}
