// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds and changes one cgroup. A hierarchy is a tree of cgroups: the one of version 2, or one per
 * controller in version 1. */
#include "user/host/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "user/base/err.h"

#define ROOT_ID 1 /* inode number of the root cgroup of a hierarchy */

static const char *const controllers_v1[] = {
	[CGROUP_BLKIO] = "blkio",
	[CGROUP_MEMORY] = "memory",
};

static int find_mount(enum cgroup_tree tree, char path[PATH_MAX])
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	struct mntent *m;
	int ret = -ENOENT;

	if (!f)
		return -errno;
	while (ret && (m = getmntent(f))) {
		bool found = tree == CGROUP_V2 ?
			!strcmp(m->mnt_type, "cgroup2") :
			!strcmp(m->mnt_type, "cgroup") && hasmntopt(m, controllers_v1[tree]);

		if (found && strlen(m->mnt_dir) < PATH_MAX) {
			strcpy(path, m->mnt_dir);
			ret = 0;
		}
	}
	endmntent(f);
	return ret;
}

/* Reads the path of this process's cgroup in hierarchy @tree. The line in /proc/self/cgroup is
 * "0::/a/b" or, in version 1, "7:blkio:/a/b". */
static int own_path(enum cgroup_tree tree, char *path, size_t size)
{
	char *line = NULL;
	size_t cap = 0;
	int ret = -ENOENT;
	FILE *f = fopen("/proc/self/cgroup", "re");

	if (!f)
		return -errno;
	while (ret && getline(&line, &cap, f) > 0) {
		char *controllers = strchr(line, ':'), *at, *word, *save = NULL;
		bool found;

		at = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!at)
			continue;
		*at++ = '\0';
		at[strcspn(at, "\n")] = '\0';
		found = tree == CGROUP_V2 && !strncmp(line, "0:", 2);
		for (word = strtok_r(controllers + 1, ",", &save); word;
		     word = strtok_r(NULL, ",", &save))
			found |= tree != CGROUP_V2 && !strcmp(word, controllers_v1[tree]);
		if (found)
			ret = (size_t)snprintf(path, size, "%s", at) < size ? 0 : -ENAMETOOLONG;
	}
	free(line);
	fclose(f);
	return ret;
}

/* Returns the number of cgroups above @path in its hierarchy. Returns -EXDEV if the root is outside
 * of this process's cgroup namespace. */
static int cgroup_level(const char *path)
{
	char up[PATH_MAX];
	struct stat st, above;

	if (stat(path, &st))
		return -errno;
	if (snprintf(up, sizeof(up), "%s", path) >= (int)sizeof(up))
		return -ENAMETOOLONG;
	for (int level = 0; level < 256; level++) {
		if (st.st_ino == ROOT_ID)
			return level;
		if (strlen(up) + 4 > sizeof(up))
			return -ENAMETOOLONG;
		strcat(up, "/..");
		if (stat(up, &above))
			return -errno;
		if (above.st_dev != st.st_dev)
			break;
		st = above;
	}
	return -EXDEV;
}

int cgroup_check_v2(const char *path)
{
	struct statfs fs;

	if (statfs(path, &fs) || fs.f_type == CGROUP2_SUPER_MAGIC)
		return 0;
	return error(-EINVAL,
		     "cannot use the cgroup '%s': it is not in a cgroup version 2 file "
		     "system",
		     path);
}

int cgroup_at(const char *path, struct cgroup *cg)
{
	struct stat st;
	int level;

	if (stat(path, &st))
		return -errno;
	if (snprintf(cg->path, sizeof(cg->path), "%s", path) >= (int)sizeof(cg->path))
		return -ENAMETOOLONG;
	level = cgroup_level(path);
	if (level < 0)
		return level;
	cg->id = st.st_ino;
	cg->level = level;
	return 0;
}

int cgroup_self(enum cgroup_tree tree, struct cgroup *cg)
{
	char mount[PATH_MAX], own[PATH_MAX], path[2 * PATH_MAX];
	int ret = find_mount(tree, mount);

	if (!ret)
		ret = own_path(tree, own, sizeof(own));
	if (ret)
		return ret;
	snprintf(path, sizeof(path), "%s%s", mount, strcmp(own, "/") ? own : "");
	return cgroup_at(path, cg);
}

int cgroup_child(const struct cgroup *parent, const char *name, struct cgroup *cg)
{
	int n = snprintf(cg->path, sizeof(cg->path), "%s/%s", parent->path, name);

	cg->id = 0;
	cg->level = parent->level + 1;
	return n < (int)sizeof(cg->path) ? 0 : -ENAMETOOLONG;
}

int cgroup_make(struct cgroup *cg)
{
	struct stat st;

	if (mkdir(cg->path, 0755) || stat(cg->path, &st))
		return -errno;
	cg->id = st.st_ino;
	return 0;
}

static int write_number(const char *dir, const char *file, u64 number)
{
	char path[PATH_MAX + 32], text[32];
	int fd, len = snprintf(text, sizeof(text), "%llu", (unsigned long long)number), ret = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, len) != len)
		ret = -errno;
	close(fd);
	return ret;
}

int cgroup_enter(const struct cgroup *cg, pid_t pid)
{
	return write_number(cg->path, "cgroup.procs", pid);
}

int cgroup_limit_memory(const struct cgroup *cg, enum cgroup_tree tree, u64 bytes)
{
	return write_number(cg->path, tree == CGROUP_V2 ? "memory.max" : "memory.limit_in_bytes",
			    bytes);
}
