// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds processes that use a victim: a disk or file that shares bytes with the target. */
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
#include "bench/guard/inode.h"
#include "bench/guard/processes.h"
#include "user/base/err.h"

static bool is_pid(const char *name)
{
	return name[0] >= '1' && name[0] <= '9';
}

/* Calls @fn for each thread of process v->process except the first thread. Stops and returns true
 * as soon as @fn returns true. Each thread may have its own descriptors and mounts, even after the
 * first thread has ended. */
static bool any_thread(struct victims *v, bool (*fn)(struct victims *v, const char *tid))
{
	char path[PATH_MAX];
	struct dirent *e;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s/task", v->host->proc, v->process);
	dir = opendir(path);
	while (!found && dir && (e = readdir(dir)))
		found = is_pid(e->d_name) && strcmp(e->d_name, v->process) != 0 && fn(v, e->d_name);
	if (dir)
		closedir(dir);
	return found;
}

/* Calls @fn for all threads of all processes, with v->process set to the thread's process. Stops
 * and returns true as soon as @fn returns true. */
static bool any_process(struct victims *v, bool (*fn)(struct victims *v, const char *tid))
{
	DIR *dir = opendir(v->host->proc);
	struct dirent *e;
	bool found = false;

	while (!found && dir && (e = readdir(dir))) {
		v->process = e->d_name;
		found = is_pid(e->d_name) && (fn(v, e->d_name) || any_thread(v, fn));
	}
	if (dir)
		closedir(dir);
	return found;
}

/* Returns the index in @v of the file that mount @m shows; -1: none. Container runtimes, for
 * example, mount single files. */
static int victim_by_file_mount(const struct victims *v, const struct mount *m)
{
	for (unsigned i = 0; i < v->n; i++)
		if (v->at[i].file && v->at[i].mount == makedev(m->major, m->minor) &&
		    file_is_root_of(v->host, &v->at[i], m))
			return i;
	return -1;
}

/* Returns the index in @v of the disk or file that stores the data of mount @m; -1: none. Finds it
 * by the path of the mount's source, because some mounts have no device number of a disk: btrfs,
 * FUSE, and erofs without a loop device. Looks up this path in iospan's own mount namespace. In
 * another namespace, the path may be on a file server that does not respond. */
static int victim_by_source(const struct victims *v, const struct mount *m)
{
	struct victim source = { .file = true };

	if (m->major || m->source[0] != '/')
		return -1;
	snprintf(source.name, PATH_MAX, "%s", m->source);
	if (strncmp(m->source, "/dev/", 5) != 0 && !file_find_mount(v->host, &source))
		return -1;
	return victim_by_path(v, m->source);
}

static bool is_mount_of(const struct mount *m, void *arg)
{
	struct victims *v = arg;
	int i = victim_by_dev(v, makedev(m->major, m->minor));

	if (i < 0)
		i = victim_by_source(v, m);
	if (i < 0)
		i = victim_by_file_mount(v, m);
	if (i < 0)
		return false;
	if (!strcmp(v->pid, HERE))
		return victim_is(v, i, "is mounted on '%.200s'", m->point);
	return victim_is(v, i, "is mounted on '%.200s' in the mount namespace of process %s",
			 m->point, v->pid);
}

static bool is_mounted_for(struct victims *v, const char *pid)
{
	char path[PATH_MAX];

	v->pid = pid;
	snprintf(path, sizeof(path), "%s/%s/mountinfo", v->host->proc, pid);
	return host_mounts(path, is_mount_of, v) == 1;
}

/* Returns true if the mounts that process @pid sees were examined before. Otherwise notes these
 * mounts as examined, and returns false. Examining them only once saves time, because thousands of
 * processes share a few pairs of mount namespace and root directory. */
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

static bool is_mounted_elsewhere(struct victims *v, const char *pid)
{
	return !is_known_namespace(v, pid) && is_mounted_for(v, pid);
}

bool victims_mounted(struct victims *v)
{
	bool found;

	is_known_namespace(v, HERE);
	found = is_mounted_for(v, HERE) || any_process(v, is_mounted_elsewhere);
	free(v->seen);
	return found;
}

/* Returns the index in @v of the disk to which the character device @dev passes commands (sg, bsg,
 * generic NVMe); -1: none. */
static int victim_by_commands(const struct victims *v, dev_t dev)
{
	char path[PATH_MAX], link[PATH_MAX], name[DISK_NAME];
	unsigned disk, space;
	struct dirent *e;
	struct disk d;
	int i = -1;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/dev/char/%u:%u", v->host->sys, major(dev), minor(dev));
	if (!realpath(path, link))
		return -1;
	if (sscanf(strrchr(link, '/'), "/ng%un%u", &disk, &space) == 2) {
		snprintf(name, sizeof(name), "nvme%un%u", disk, space);
		return disk_by_name(v->host, name, &d) ? -1 : victim_by_dev(v, d.dev);
	}
	if (snprintf(path, sizeof(path), "%s/device/block", link) >= PATH_MAX)
		return -1;
	dir = opendir(path);
	while (i < 0 && dir && (e = readdir(dir)))
		if (e->d_name[0] != '.' && !disk_by_name(v->host, e->d_name, &d))
			i = victim_by_dev(v, d.dev);
	if (dir)
		closedir(dir);
	return i;
}

/* Returns the index in @v of the disk or file that a descriptor with status @st can write to; -1:
 * none. Ignores the backing file of a loop device, because the program that made the loop device
 * may keep the file open. */
static int victim_to_write(const struct victims *v, const struct statx *st)
{
	int i;

	if (S_ISCHR(st->stx_mode))
		return victim_by_commands(v, makedev(st->stx_rdev_major, st->stx_rdev_minor));
	i = victim_by_statx(v, st);
	return i < 0 || (v->at[i].file && !v->at[i].own) ? -1 : i;
}

/* Returns the index in @v of the disk or file that process @pid has open for writing as descriptor
 * @fd; -1: none. */
static int victim_by_descriptor(const struct victims *v, const char *pid, const char *fd)
{
	char path[PATH_MAX], line[64];
	unsigned flags = 0;
	struct statx st;
	FILE *f;
	int i;

	snprintf(path, sizeof(path), "%s/%s/fd/%s", v->host->proc, pid, fd);
	/* without AT_STATX_DONT_SYNC, statx() would hang if a network server does not respond */
	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, &st))
		return -1;
	i = victim_to_write(v, &st);
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

static int victim_by_descriptors(const struct victims *v, const char *pid)
{
	char path[PATH_MAX];
	struct dirent *e;
	int i = -1;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s/fd", v->host->proc, pid);
	dir = opendir(path);
	while (i < 0 && dir && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			i = victim_by_descriptor(v, pid, e->d_name);
	if (dir)
		closedir(dir);
	return i;
}

/* Returns the index in @v of the disk or file that process @pid can write through its mapping
 * @range; -1: none. Examines the link in map_files, because the process may have closed the
 * descriptor of the file. The mode of the link shows if the process can write. */
static int victim_by_mapping(const struct victims *v, const char *pid, const char *range)
{
	int flags = AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT;
	char path[PATH_MAX];
	struct stat link;
	struct statx st;

	snprintf(path, sizeof(path), "%s/%s/map_files/%s", v->host->proc, pid, range);
	if (lstat(path, &link) || !(link.st_mode & S_IWUSR) ||
	    statx(AT_FDCWD, path, flags, STATX_TYPE | STATX_INO, &st))
		return -1;
	return victim_to_write(v, &st);
}

static int victim_by_mappings(const struct victims *v, const char *pid)
{
	char path[PATH_MAX], *line = NULL, range[64], rights[8];
	size_t size = 0;
	int i = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/maps", v->host->proc, pid);
	f = fopen(path, "re");
	while (i < 0 && f && getline(&line, &size, f) > 0)
		if (sscanf(line, "%63s %7s", range, rights) == 2 && rights[3] == 's')
			i = victim_by_mapping(v, pid, range);
	if (f)
		fclose(f);
	free(line);
	return i;
}

/* Returns true if thread @tid shares descriptors and memory with the last thread that was examined.
 * If so, thread @tid need not be examined. */
static bool is_same_as_last(struct victims *v, pid_t tid)
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
	int i = victim_by_descriptors(v, pid);

	if (i < 0) {
		how = "mapped";
		i = victim_by_mappings(v, pid);
	}
	if (i < 0)
		return false;
	host_line(name, sizeof(name), "%s/%s/comm", v->host->proc, v->process);
	return victim_is(v, i, "is %s for writing in process %s, '%s'", how, v->process, name);
}

static bool is_written_by_other(struct victims *v, const char *tid)
{
	return atoi(v->process) != getpid() && !is_same_as_last(v, atoi(tid)) &&
		is_written_by(v, tid);
}

/* Returns true if a process can write to a victim. Also finds processes that do not open the victim
 * exclusively, such as virtual machines and databases. */
bool victims_written(struct victims *v)
{
	return any_process(v, is_written_by_other);
}
